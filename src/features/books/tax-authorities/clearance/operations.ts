import { operation } from '../../../../core/define/operation.ts'
import { ById, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { attemptOrWait } from './attempt.ts'
import { Clearance, clearanceOf } from './clearance.ts'
import { submitDocument } from './submit.ts'

export const get = operation({
  name: 'invoices_clearance',
  http: 'GET /api/documents/{id}/clearance',
  does: 'Says whether a sales document needs a number of the tax authority, and what became of the request for it.',
  scope: 'invoices:read',
  within: 'documents',
  input: ById,
  output: Clearance,
  run: ({ db }, { id }) => clearanceOf(db, id),
})

export const submit = operation({
  name: 'invoices_clearance_post',
  http: 'POST /api/documents/{id}/clearance',
  does: 'Submits an issued sales document to the tax authority for its number, or repeats a submission that was rejected or has failed. A document never gets a second number.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id, action: OneOf('submit', 'retry') }),
  output: Type.Object({
    success: Type.Boolean({ description: 'Whether the document has its number.' }),
    result: Clearance,
  }),
  outside: true,
  async run(context, { id, action }) {
    const { organizationId, userId } = await context.who
    const obstacle = await context.tx((inside) => submitDocument(inside, { documentId: id, action, userId }))
    if (obstacle === undefined) await attemptOrWait({ ...context, organizationId, ms: answerMs }, id)
    return context.once(async ({ db, audit }) => {
      const result = await clearanceOf(db, id)
      audit({ action, status: result.status, vatAllocationNumber: result.vatAllocationNumber })
      const isApproved = result.status === 'APPROVED'
      return {
        success: isApproved,
        result: { ...result, error: isApproved ? null : (result.error ?? obstacle ?? null) },
      }
    })
  },
})

/** How long a caller waits for the authority; a job continues after that. */
const answerMs = 25_000
