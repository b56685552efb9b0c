/** Runs an operation as the demo user. */
export type CallOperation = <T>(operation: string, input: object) => Promise<T>

export type Page = { pagination: { totalPages: number } }

/** All pages of a list, one after the other. */
export async function* everyPage<T extends Page>(read: (page: { page: number; limit: number }) => Promise<T>) {
  for (let page = 1, last = 1; page <= last; page++) {
    const answer = await read({ page, limit: 100 })
    last = answer.pagination.totalPages
    yield answer
  }
}
