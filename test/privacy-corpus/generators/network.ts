import type { Random } from '../random.js';
import { pickForm, type Generator } from './slot.js';

const part = (random: Random): number => random.integer(2, 253);

/** Public addresses come from the blocks that are reserved for documentation (RFC 5737, RFC 3849). */
export const ipAddress: Generator = (random, form) => {
  switch (form.options.length > 0 ? pickForm(random, form, ['private', 'v6']) : 'public') {
    case 'public':
      return `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${part(random)}`;
    case 'private':
      return random.pick([
        `10.${part(random)}.${part(random)}.${part(random)}`,
        `192.168.${random.integer(0, 20)}.${part(random)}`,
        `172.${random.integer(16, 31)}.${part(random)}.${part(random)}`,
      ]);
    case 'v6': {
      const words = Array.from({ length: 6 }, () => random.integer(0x10, 0xffff).toString(16));
      return random.pick([
        `2001:db8:${words.join(':')}`,
        `2001:db8:${words.slice(0, 2).join(':')}::${words[5]}`,
        `2001:db8::${words.slice(2, 5).join(':')}`,
        `fe80::${words.slice(0, 4).join(':')}`,
      ]);
    }
  }
};

/** Addresses with the bit that marks them as given by an administrator, not by a maker. */
export const macAddress: Generator = (random, form) => {
  const first = `${random.hex(1)}${random.pick(['2', '6', 'a', 'e'])}`;
  const pairs = [first, ...Array.from({ length: 5 }, () => random.hex(2))];
  switch (pickForm(random, form, ['colon', 'dash', 'dot'])) {
    case 'colon':
      return random.isTrue(0.3) ? pairs.join(':').toUpperCase() : pairs.join(':');
    case 'dash':
      return pairs.join('-').toUpperCase();
    case 'dot':
      return pairs.join('').replace(/(.{4})(.{4})/, '$1.$2.');
  }
};
