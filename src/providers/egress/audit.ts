import type { Pool } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import type { Refused } from './egress.ts'

/** Writes an audit entry for every refused target (SSRF-9). Managers of the organization can read it. */
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
