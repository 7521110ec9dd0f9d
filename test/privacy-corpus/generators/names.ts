/** Invented names. The detector does not look for the names of people. */
export const FIRST_NAMES = [
  'Marlene',
  'Otis',
  'Priya',
  'Joaquín',
  'Annika',
  'Tobias',
  'Wren',
  'Léonie',
  'Kenji',
  'Samira',
];
export const LAST_NAMES = [
  'Farnsby',
  'Quillan',
  'Osterhagen',
  'Velasquin',
  'Brouwerman',
  'Kowalczak',
  'Tanemoto',
  'Lindvall',
  'Marchetto',
];
