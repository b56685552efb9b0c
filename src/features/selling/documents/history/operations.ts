import { sql } from 'kysely'
import { operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged } from '../../../../core/define/query.ts'
import { Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { historyEntry } from '../../../../ledger/history.ts'
import { invoiceDisputed, invoiceDisputeResolved, toEventPayload } from '../events/events.ts'
import { documentById, toDocument } from '../reading/read.ts'

const Payload = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 })

const DocumentEvent = Type.Object({
  id: Id,
  documentId: Id,
  organizationId: Id,
  type: Text,
  actorUserId: nullable(Id),
  actor: nullable(Type.Object({ id: Id, name: Text, email: Text })),
  payload: nullable(Payload),
  createdAt: Instant,
  sequence: Type.Integer({ minimum: 1, description: 'Its place in the chain of the document.' }),
  previousHash: nullable(Type.String({ description: 'The hash of the event before it; null for the first.' })),
  hash: Type.String({ description: 'SHA-256, in hex, over the hash before it and what the event says.' }),
})

export const list = operation({
  name: 'invoices_events',
  http: 'GET /api/documents/{id}/events',
  does: 'Lists what happened to a sales document, the latest first.',
  scope: 'invoices:read',
  within: 'documents',
  input: Type.Object({ id: Id, ...paging({ limit: 50 }) }),
  output: Type.Object({ events: Type.Array(DocumentEvent), pagination: Pagination }),
  async run({ db }, { id, ...page }) {
    const query = db
      .selectFrom('documentEvents')
      .select(columns)
      .select(actor)
      .where('documentId', '=', id)
      .orderBy('seq', 'desc')
    const { rows, pagination } = await paged(query, page)
    return { events: rows.map(toEvent), pagination }
  },
})

export const post = operation({
  name: 'invoices_events_post',
  http: 'POST /api/documents/{id}/events',
  does: 'Adds to what happened to a sales document: a dispute, an answer to it, a comment, an approval or a rejection.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({
    id: Id,
    type: OneOf('DISPUTED', 'DISPUTE_COUNTERED', 'DISPUTE_RESOLVED', 'COMMENTED', 'APPROVED', 'REJECTED'),
    payload: Type.Optional(
      nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          maxProperties: 200,
          description:
            'The customer reads its `message` on the public page, unless `internal` is true; of approvals and rejections nothing.',
        }),
      ),
    ),
  }),
  output: DocumentEvent,
  status: 201,
  async run({ db, emit, who }, { id, type, payload = null }) {
    const { userId } = await who
    const inDispute = inDisputeAfter[type]
    const { added, row } = await pipeline({
      document:
        inDispute !== undefined && db.updateTable('documents').set({ inDispute }).where('id', '=', id).execute(),
      added: db
        .insertInto('documentEvents')
        .values(historyEntry({ documentId: id, type, payload, actorUserId: userId }))
        .returning(columns)
        .returning(actor)
        .executeTakeFirstOrThrow(),
      row: one(documentById(db, id), 'document'),
    })
    if (type === 'DISPUTED') emit(invoiceDisputed, toEventPayload(toDocument(row)))
    if (type === 'DISPUTE_RESOLVED') emit(invoiceDisputeResolved, toEventPayload(toDocument(row)))
    return toEvent(added)
  },
})

/** The event types that set or clear `inDispute`. */
const inDisputeAfter: Partial<Record<string, boolean>> = { DISPUTED: true, DISPUTE_RESOLVED: false }

const columns = [
  'id', 'documentId', 'organizationId', 'type', 'actorUserId', 'payload', 'createdAt', 'seq as sequence',
  sql<string | null>`nullif(encode(prev_hash, 'hex'), '')`.as('previousHash'),
  sql<string>`encode(hash, 'hex')`.as('hash'),
] as const // biome-ignore format: a list of words

const actor = sql<
  Static<typeof DocumentEvent>['actor']
>`(select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
  from users u where u.id = document_events.actor_user_id)`.as('actor')

const toEvent = <R extends { payload: object | null }>({ payload, ...event }: R) => ({
  ...event,
  payload: payload as Record<string, unknown> | null, // the input schema accepts objects only
})
