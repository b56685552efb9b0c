import { call, type Name } from '../../api.ts'

/** Lists whose operation tells the ids of all that match. */
const withIds: ReadonlySet<Name> = new Set(['invoices_list', 'customers_list'])

type List = {
  name: Name
  input: object
  total: number | undefined
  rowAt: (index: number) => { id: string } | undefined
}

/** The ids of all that match, also of what is not on the page, where the operation tells them; else of what is loaded. */
export async function idsOfAll({ name, input, total, rowAt }: List): Promise<ReadonlySet<string>> {
  if (withIds.has(name)) {
    const { ids = [] } = (await call(name, { ...input, limit: 1, ids: true } as never)) as { ids?: string[] }
    return new Set(ids)
  }
  const rows = Array.from({ length: total ?? 0 }, (_, index) => rowAt(index))
  return new Set(rows.flatMap((row) => (row ? [row.id] : [])))
}
