import 'reflect-metadata';
import { Allow } from 'class-validator';

/** A DTO class: its fields are declared by the decorators of ./fields.ts. */
export type DtoClass = new () => object;

export type NestedField =
  | { readonly kind: 'one'; readonly dto: DtoClass }
  | { readonly kind: 'many'; readonly dto: DtoClass; readonly max: number }
  | {
      readonly kind: 'list';
      readonly by: string;
      readonly dtos: Readonly<Record<string, DtoClass>>;
      readonly max: number;
    };

const NESTED = Symbol('nested');

/** Marks a property as holding other DTOs. */
export const nestedField =
  (nested: NestedField): PropertyDecorator =>
  (prototype, property) => {
    Reflect.defineMetadata(NESTED, nested, prototype, property);
    Allow()(prototype, property);
  };

export const nestedOf = (dto: DtoClass, property: string): NestedField | undefined =>
  Reflect.getMetadata(NESTED, dto.prototype as object, property) as NestedField | undefined;
