import { type TArray, type TObject, type TProperties, type TSchema, Type } from 'typebox'

export { type TArray, type TObject, type TSchema, Type }

/**
 * The values that a schema admits. TypeBox's own `Static` says the same, but also of JSON Schema written by hand, of codecs and
 * of modules, which takes the compiler three times as long.
 */
export type Static<S extends TSchema> = S extends { '~unsafe': infer T }
  ? T
  : S extends { '~kind': infer K extends keyof StaticOf<S> }
    ? StaticOf<S>[K]
    : unknown
type StaticOf<S> = {
  String: string
  Number: number
  Integer: number
  Boolean: boolean
  Null: null
  Literal: S extends { const: infer T } ? T : never
  Array: S extends { items: infer Item extends TSchema } ? Static<Item>[] : never
  Object: S extends { properties: infer P extends TProperties } ? Fields<P> : never
  Record: S extends { patternProperties: Record<string, infer Value extends TSchema> }
    ? Record<string, Static<Value>>
    : never
  Union: S extends { anyOf: infer Members extends TSchema[] }
    ? { [I in keyof Members]: Static<Members[I]> }[number]
    : never
}
type Fields<P extends TProperties> = Flat<
  { [K in keyof P as P[K] extends Omissible ? never : K]: Static<P[K]> } & {
    [K in keyof P as P[K] extends Omissible ? K : never]?: Static<P[K]>
  }
>
type Omissible = { '~optional': true }
type Flat<T> = { [K in keyof T]: T[K] } & {}

/** A schema with a default: callers may leave the field out, and `run` always receives it. */
export type Defaulted<S extends TSchema> = S & { '~defaulted': true }

/** What a caller may send: fields with a default are optional. `Static` is what `run` receives. */
export type Given<S extends TSchema> =
  S extends TObject<infer P>
    ? Omit<Static<S>, DefaultedKeys<P>> & { [K in DefaultedKeys<P>]?: Static<P[K]> }
    : Static<S>
type DefaultedKeys<P extends TProperties> = {
  [K in keyof P]: P[K] extends { '~defaulted': true } ? K : never
}[keyof P]

export const defaulted = <S extends TSchema>(schema: S, value: Static<S>): Defaulted<S> =>
  Type.Optional({ ...schema, default: value } as S) as unknown as Defaulted<S>

/** The value or null, written as `type: [..., 'null']`, which clients and serializers support better than a union. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  const shape = type
    ? { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
    : { anyOf: [schema, { type: 'null' }] }
  return Type.Unsafe<Static<S> | null>(shape)
}

/** The same fields, all optional. */
export const optional = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties)).properties

/** One of a closed set of words. */
export const OneOf = <const T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values })

export const Text = Type.String({ maxLength: 10_000 })
/** The text contains something other than spaces. */
export const notBlank = '\\S'
/** The text does not contain the character U+0000, which cannot be stored. */
export const storable = '^[^\\u0000]*$'
export const NonEmpty = Type.String({ minLength: 1, maxLength: 1_000, pattern: notBlank })
export const Id = Type.String({ description: 'An id as this server gave it (UUID).' })
export const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, ending in Z.' })
export const Email = Type.String({ format: 'email', maxLength: 320 })
/** An empty text means no address. */
export const EmailOrEmpty = Type.String({
  format: 'email-or-empty',
  maxLength: 320,
  examples: ['office@example.com'],
})
export const Currency = Type.String({
  minLength: 1,
  maxLength: 10,
  description: 'ISO 4217 code, such as USD.',
  examples: ['USD'],
})
export const Count = Type.Integer({ minimum: 0 })

/** The fields that the server sets on every resource of an organization. */
export const identity = { id: Id, organizationId: Id, createdAt: Instant, updatedAt: Instant }

export const ById = Type.Object({ id: Id })
/** A list that covers every organization that the caller can access, unless one is given. */
export const InOrganization = Type.Object({ organizationId: Type.Optional(Id) })

export const Success = Type.Object({ success: Type.Unsafe<true>({ type: 'boolean', const: true }) })
export const success: Static<typeof Success> = { success: true }

/** A problem in the input that is not a reason to refuse it. */
export const Warning = Type.Object({ code: Type.String(), message: Type.String(), path: Type.String() })
export type Warning = Static<typeof Warning>
export const Warnings = Type.Array(Warning, {
  description: 'Doubts about the data; nothing was refused because of them.',
})
