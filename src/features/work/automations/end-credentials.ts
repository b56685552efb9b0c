import { sql } from 'kysely'
import { job } from '../../../core/define/job.ts'
import { Type } from '../../../core/define/schema.ts'

/**
 * Pauses the automations whose API key or app has expired. A revoked one pauses its automations at once, by a trigger of the
 * database; the end of a period causes no statement, so this looks for it. Until then a run finds out itself.
 */
export const endCredentials = job(
  'end-credentials',
  Type.Object({}, { additionalProperties: true }),
  async ({ tx }) => void (await tx(({ db }) => sql`select end_credentials()`.execute(db))),
)
