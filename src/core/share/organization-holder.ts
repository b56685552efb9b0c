import type { ConnectionHolder } from '../../db/pool.ts'

/** What the work of an organization is counted against. */
export const organizationSubject = (organizationId: string) => `organization:${organizationId}`
export const isOrganization = (subject: string) => subject.startsWith('organization:')

/** Jobs wait longer than requests: nobody waits for their answer, and a failed attempt costs more. */
const jobWaitMs = 10_000

/** The holder of connections for work in an organization that no request asked for. */
export const organizationHolder = (organizationId: string): ConnectionHolder => ({
  subjects: [organizationSubject(organizationId)],
  waitMs: jobWaitMs,
  turn: undefined,
})
