import { member, type Someone, theApp } from '../world.ts'

/** The result of a filter for this person. */
export const preview = (someone: Someone, spec: object) =>
  someone.call('automations_preview', { organizationId: someone.organizationId ?? '', spec } as never)

export const where = (object: string, field: string, op: string, value: unknown) => ({ object, field, op, value })

/** Extracts with the names of their fields. */
export const take = (...paths: string[]) => paths.map((path) => ({ as: path.split('.')[1] ?? path, path }))

export const customer = (someone: Someone, name: string, more: object = {}) =>
  someone.call('customers_create', { organizationId: someone.organizationId ?? '', name, country: 'SG', ...more })

const viewers = new WeakMap<object, Promise<Someone>>()
/** A viewer, the same one each time, for tests that change nothing. */
export const someone = (): Promise<Someone> => {
  const viewer = viewers.get(theApp()) ?? member('VIEWER')
  viewers.set(theApp(), viewer)
  return viewer
}
