import { member, type Someone, theApp } from '../world.ts'

/** What a filter finds, as somebody asks for it. */
export const preview = (someone: Someone, spec: object) =>
  someone.call('automations_preview', { organizationId: someone.organizationId ?? '', spec } as never)

export const where = (object: string, field: string, op: string, value: unknown) => ({ object, field, op, value })

/** Extracts that are called as their fields are. */
export const take = (...paths: string[]) => paths.map((path) => ({ as: path.split('.')[1] ?? path, path }))

export const customer = (someone: Someone, name: string, more: object = {}) =>
  someone.call('customers_create', { organizationId: someone.organizationId ?? '', name, country: 'SG', ...more })

const known = new WeakMap<object, Promise<Someone>>()
/** A viewer, the same one each time, for where nobody leaves a trace. */
export const someone = (): Promise<Someone> => {
  const viewer = known.get(theApp()) ?? member('VIEWER')
  known.set(theApp(), viewer)
  return viewer
}
