import type { Pool } from '../../core/define/operation.ts'
import { insertAudit } from '../../core/run/audit.ts'
import type { Refused } from './egress.ts'

/** Writes an audit entry for every refused target (SSRF-9). Managers of the organization can read it. */
export const auditRefusals =
  (system: Pool) =>
  ({ organizationId, use, host, reason }: Refused): Promise<void> =>
    system.use(async (_, connection) => {
      const detail = { use, host, reason }
      await insertAudit(connection.ask, {
        operation: 'egress.refused',
        source: 'SYSTEM',
        requestId: '',
        organizationId,
        detail,
      })
    })
