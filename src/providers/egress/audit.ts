import type { Pool } from '../../core/define/operation.ts'
import type { Metrics } from '../../core/observe/metrics.ts'
import { insertAudit } from '../../core/run/audit.ts'
import type { Refused } from './egress.ts'

/**
 * Counts every refused target, and writes an audit entry for those of a known caller (SSRF-9), which managers of the
 * organization can read. Anybody can make the server request the document of an app, and the model is chosen by the operator, so
 * such refusals leave no row.
 */
export const recordRefusals =
  (system: Pool, meter: () => Pick<Metrics, 'refusedTarget'>) =>
  async ({ organizationId, use, host, reason }: Refused): Promise<void> => {
    meter().refusedTarget({ use, reason })
    if (use === 'client' || use === 'model') return
    await system.use((_, connection) =>
      insertAudit(connection.ask, {
        operation: 'egress.refused',
        source: 'SYSTEM',
        requestId: '',
        organizationId,
        detail: { use, host, reason },
      }),
    )
  }
