/** A body without fields. */
export class EmptyDto {}
