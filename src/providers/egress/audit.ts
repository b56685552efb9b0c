import type { Pool } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import type { Refused } from './egress.ts'

/** Writes down every target that was refused, and for whom (SSRF-9). Its organization's managers may read it. */
export const auditRefusals =
  (system: Pool) =>
  ({ organizationId, use, host, reason }: Refused): Promise<void> =>
    system.use(async (_, connection) => {
      await connection.query(
        `insert into audit_log (id, organization_id, source, request_id, operation, detail)
         values ($1, $2, 'SYSTEM', '', 'egress.refused', $3)`,
        [newId(), organizationId, { use, host, reason }],
      )
    })
