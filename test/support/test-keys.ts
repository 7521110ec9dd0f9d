/** The keys of a service in a test, long and varied enough to be accepted. */
export const TEST_KEYS = {
  MACE_JWT_SECRET: 'jwt:Qm7xTz2LwKp9RvBn4HsYd6Gc1FjAe8Uo',
  MACE_SIGNING_KEY: 'sign:Xa3vN8qLr5ZtKw0PyHb7Mc2Jd9SfGe4u',
  MACE_SEALING_KEY: 'seal:Ru6hYk1TzWq8BnXc3Lm5Vp0Jg7Ds9Fae',
  MACE_BUNDLE_KEY: 'MC4CAQAwBQYDK2VwBCIEILEWY6oDqDqsQRGfWnPw9H+vZO6uGkrxZ1eXQ24yzAoS',
};
