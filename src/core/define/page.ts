import { Count, defaulted, type Static, type TSchema, Type } from './schema.ts'

export const Pagination = Type.Object({ page: Count, limit: Count, total: Count, totalPages: Count })
export type Pagination = Static<typeof Pagination>

/** The paging fields of a list: `...paging({ limit: 10 })`. */
export const paging = ({ limit = 25, max = 100 } = {}) => ({
  page: defaulted(Type.Integer({ minimum: 1, maximum: 1_000_000 }), 1),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: max }), limit),
})

export const SortOrder = Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'] })

/** The most rows that a list without pages returns; `bounded` applies it. */
export const listMax = 1_000

/** A list without pages, of up to `listMax` items. */
export const wholeList = <S extends TSchema>(item: S) =>
  Type.Array(item, { maxItems: listMax, description: `The first ${listMax} at most.` })
