import { FRAME_HEADER } from './frames.js';
import { FieldReader, MalformedMessage, MessageWriter } from './protobuf.js';

/** Reads and writes the content of a nested message. `In` may also allow what is encoded already. */
export interface Codec<Out, In = Out> {
  read(fields: FieldReader): Out;
  write(writer: MessageWriter, value: In): void;
}

/** A value of one protobuf field. */
export interface Scalar<Value> {
  readonly absent: Value;
  read(this: void, fields: FieldReader): Value;
  write(writer: MessageWriter, field: number, value: Value): void;
}

/** A property of a message. If several of its cases arrive, the last one counts, as protobuf requires. */
export interface Field<Out, In = Out> {
  /** The value if the message has none. */
  readonly absent: Out;
  /** How to read the value; of a list, one of its values. */
  readonly cases: readonly Case[];
  readonly isList?: true;
  write(this: void, writer: MessageWriter, value: In): void;
}

interface Case {
  readonly field: number;
  /** The key, if the field is a map and the property is one of its entries. */
  readonly key?: string;
  read(this: void, fields: FieldReader): unknown;
}

type Shape = Readonly<Record<string, Field<unknown, never>>>;
type Decoded<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Field<infer Out, never> ? Out : never;
};
type Encodable<S extends Shape> = {
  readonly [K in keyof S]?: (S[K] extends Field<unknown, infer In> ? In : never) | undefined;
};

type Slot = (fields: FieldReader, into: Record<string, unknown>) => void;

const writer = new MessageWriter();

/** A message of the protocol, of which only the fields of its shape are read and written. */
export class Message<S extends Shape> implements Codec<Decoded<S>, Encodable<S>> {
  /** How to read each field, by its number. */
  private readonly slots: (Slot | undefined)[] = [];
  private readonly absent: Record<string, unknown> = {};
  private readonly names: readonly string[];
  private readonly writers: readonly Field<unknown>['write'][];

  constructor(shape: S) {
    this.names = Object.keys(shape);
    this.writers = Object.values<Field<unknown>>(shape).map(({ write }) => write);
    const entries = new Map<number, Map<string, Slot>>();
    for (const [name, { absent, cases, isList }] of Object.entries(shape)) {
      this.absent[name] = absent;
      for (const { field, key, read } of cases) {
        const slot: Slot = (fields, into) => {
          const value = read(fields);
          if (!isList) into[name] = value;
          else if (into[name] === absent) into[name] = [value];
          else (into[name] as unknown[]).push(value);
        };
        if (key === undefined) this.slots[field] = slot;
        else entries.set(field, (entries.get(field) ?? new Map<string, Slot>()).set(key, slot));
      }
    }
    for (const [field, slots] of entries) this.slots[field] = entrySlot(slots);
  }

  decode(bytes: Buffer): Decoded<S> {
    return this.read(new FieldReader(bytes));
  }

  read(fields: FieldReader): Decoded<S> {
    return this.readInto({ ...this.absent }, fields);
  }

  /** Reads the fields that are whole in the first bytes of a message. */
  decodeStart(bytes: Buffer): Decoded<S> {
    const start = { ...this.absent };
    try {
      return this.readInto(start, new FieldReader(bytes));
    } catch (error) {
      if (error instanceof MalformedMessage) return start as Decoded<S>;
      throw error;
    }
  }

  private readInto(value: Record<string, unknown>, fields: FieldReader): Decoded<S> {
    while (fields.next()) {
      const slot = this.slots[fields.field];
      if (slot === undefined) fields.skip();
      else slot(fields, value);
    }
    return value as Decoded<S>;
  }

  write(to: MessageWriter, message: Encodable<S>): void {
    for (let index = this.names.length - 1; index >= 0; index -= 1) {
      const value = message[this.names[index]!];
      // A message is written backwards.
      if (value !== undefined) this.writers[index]!(to, value);
    }
  }

  /** Returns the message as a gRPC frame. */
  frame(message: Encodable<S>): Buffer {
    this.write(writer, message);
    return writer.frame();
  }

  encode(message: Encodable<S>): Buffer {
    return this.frame(message).subarray(FRAME_HEADER);
  }
}

/** Reads an entry of a map with text keys, also if the key follows its value. */
function entrySlot(slots: ReadonlyMap<string, Slot>): Slot {
  return (fields, into) => {
    const entry = fields.nested();
    let slot: Slot | undefined;
    let hasKey = false;
    let early: FieldReader | undefined;
    while (entry.next()) {
      if (entry.field === 1) {
        slot = slots.get(entry.text('latin1'));
        hasKey = true;
      } else if (entry.field === 2 && slot) slot(entry, into);
      else {
        if (entry.field === 2 && !hasKey) early = entry.here();
        entry.skip();
      }
    }
    if (early) slot?.(early, into);
  };
}

export const message = <S extends Shape>(shape: S): Message<S> => new Message(shape);

export function scalar<Value>(kind: Scalar<Value>, number: number): Field<Value> {
  return {
    absent: kind.absent,
    cases: [{ field: number, read: kind.read }],
    write: (to, value) => kind.write(to, number, value),
  };
}

export const NUMBER: Scalar<number> = {
  absent: 0,
  read: (fields) => fields.number(),
  write: (to, field, value) => to.number(field, value),
};
const FLAG: Scalar<boolean> = {
  absent: false,
  read: (fields) => fields.number() !== 0,
  write: (to, field, value) => to.number(field, value ? 1 : 0),
};

export const number = (field: number): Field<number> => scalar(NUMBER, field);
export const flag = (field: number): Field<boolean> => scalar(FLAG, field);

/** An entry of the map in this field. */
export function entry<Value>(
  kind: Scalar<Value>,
  field: number,
  key: string,
): Field<Value | undefined, Value> {
  return {
    absent: undefined,
    cases: [{ field, key, read: kind.read }],
    write: (to, value) => {
      const mark = to.mark;
      kind.write(to, 2, value);
      to.text(1, key);
      to.close(field, mark);
    },
  };
}

export function nested<Out, In>(field: number, codec: Codec<Out, In>): Field<Out | undefined, In> {
  return {
    absent: undefined,
    cases: [{ field, read: (fields) => codec.read(fields.nested()) }],
    write: (to, value) => {
      const mark = to.mark;
      codec.write(to, value);
      to.close(field, mark);
    },
  };
}

/** A nested message that its receiver reads later, or passes on. Its sender may have encoded it before. */
export function deferred<In>(
  field: number,
  codec: Codec<unknown, In>,
): Field<FieldReader | undefined, In | Buffer> {
  const whole = nested(field, codec);
  return {
    absent: undefined,
    cases: [{ field, read: (fields) => fields.nested() }],
    write: (to, value) => {
      if (Buffer.isBuffer(value)) to.bytes(field, value);
      else whole.write(to, value);
    },
  };
}

export function repeated<Out, In>(
  one: Field<Out | undefined, In>,
): Field<readonly NonNullable<Out>[], readonly In[]> {
  return {
    absent: [],
    cases: one.cases,
    isList: true,
    write: (to, values) => {
      for (let index = values.length - 1; index >= 0; index -= 1) one.write(to, values[index]!);
    },
  };
}

/** A oneof: each constant is an empty message in the field of its number; other values are in `other`. */
export function oneOf<const C extends Readonly<Record<number, unknown>>, Out = never, In = never>(
  constants: C,
  other?: Field<Out, In>,
): Field<C[keyof C] | Out | undefined, C[keyof C] | In> {
  const numbers = new Map(Object.entries(constants).map(([key, value]) => [value, Number(key)]));
  return {
    absent: undefined,
    cases: [
      ...[...numbers].map(([value, field]) => ({
        field,
        read: (fields: FieldReader) => {
          fields.skip();
          return value;
        },
      })),
      ...(other?.cases ?? []),
    ],
    write: (to, value) => {
      const field = numbers.get(value);
      if (field === undefined) other?.write(to, value as In);
      else to.empty(field);
    },
  };
}

/** A message with one field that matters, which stands for the field's value. */
export function only<Out, In>({ absent, cases, write }: Field<Out, In>): Codec<Out, In> {
  const [first, ...others] = cases;
  return {
    read: (fields) => {
      let value = absent;
      while (fields.next()) {
        const { field } = fields;
        const found = first?.field === field ? first : others.find((one) => one.field === field);
        if (found === undefined) fields.skip();
        else value = found.read(fields) as Out;
      }
      return value;
    },
    write,
  };
}
