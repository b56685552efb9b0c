import { job } from '../../core/job.ts'
import { Type } from '../../core/schema.ts'

const batch = 500

/** Orders deliveries again that wait and whose order was lost, as when the database fails while an outcome is recorded. */
export const recoverMail = job(
  'recover-mail',
  Type.Object({}, { additionalProperties: true }),
  async ({ tx, signal }) => {
    let ordered = batch
    while (ordered === batch && !signal.aborted) {
      const { rows } = await tx(({ connection }) => connection.query('select order_lost_mail($1) as ordered', [batch]))
      ordered = Number(rows[0]?.ordered)
    }
  },
)
