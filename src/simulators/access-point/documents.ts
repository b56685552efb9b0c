import { createHash } from 'node:crypto'
import type { Answer } from '../service/serve.ts'
import type { Switches } from './switches.ts'

type Json = Record<string, unknown>
type Problem = { code: string; message: string; location: string }

/** A document that was sent: how often the client called, how often it left for the receiver, and what the file was. */
export type Sent = {
  times: number
  deliveries: number
  attempt: number
  since: number
  content: string
  receiver: string
  sender: string
}

type Received = {
  id: string
  participant: string
  sender: string
  receivedAt: string
  xml: Buffer
  isConfirmed: boolean
}

/** The documents of the simulator. It forgets them when it stops, and would decide the same again. */
export function createDocuments(switches: Switches) {
  const sent = new Map<string, Sent>()
  const received = new Map<string, Received>()

  function statusOf(id: string, { since, attempt }: Sent): Answer {
    const base = { documentId: id, irasTransmissionId: `IRAS-${hash(id).slice(0, 12)}` }
    if (Date.now() - since < switches.decideMs)
      return { status: 202, body: { ...base, status: 'SUBMITTED', transportStatus: 'SENDING' } }
    if (attempt === 1 && fraction(`fail ${id}`) < switches.fail)
      return {
        status: 200,
        body: {
          ...base,
          status: 'FAILED',
          transportStatus: 'FAILED',
          message: 'The access point of the receiver did not answer.',
        },
      }
    if (fraction(`reject ${id}`) < switches.reject) {
      const errors = [
        {
          code: 'IRASC5-REFUSED',
          message: 'The GST number of the supplier is not active',
          location: 'cac:AccountingSupplierParty',
        },
      ]
      return { status: 200, body: { ...base, status: 'REJECTED', transportStatus: 'DELIVERED', errors } }
    }
    deliver(id)
    const accepted = { status: 'ACCEPTED', transportStatus: 'DELIVERED', irasAcknowledgementId: acknowledgement(id) }
    return { status: 200, body: { ...base, ...accepted } }
  }

  /** The receiver gets a document once, with its acceptance. */
  function deliver(id: string) {
    const document = sent.get(id)
    if (!document || document.deliveries > 0) return
    document.deliveries += 1
    put(document.receiver, { id, sender: document.sender, xml: Buffer.from(document.content) })
  }

  function put(participant: string, { id, sender, xml }: Pick<Received, 'id' | 'sender' | 'xml'>) {
    received.set(id, { id, participant, sender, receivedAt: new Date().toISOString(), xml, isConfirmed: false })
  }

  return {
    sent,
    put,

    /** Takes a document over. One that is known is not sent again, unless its delivery failed or it was refused. */
    send(request: Json): Answer {
      const { documentId, receiver } = request
      const content = typeof request.content === 'string' ? Buffer.from(request.content, 'base64').toString() : ''
      const errors = problemsOf(request, content)
      if (errors.length > 0 || typeof documentId !== 'string') return { status: 422, body: { errors } }
      const before = sent.get(documentId)
      if (before) before.times += 1
      else
        sent.set(documentId, {
          times: 1,
          deliveries: 0,
          attempt: 1,
          since: Date.now(),
          content,
          receiver: String(receiver),
          sender: String(request.sender),
        })
      const found = sent.get(documentId)
      if (!found) return notFound
      const answer = statusOf(documentId, found)
      const { status } = answer.body as { status: string }
      const isAgain =
        before !== undefined && (status === 'FAILED' || (status === 'REJECTED' && before.content !== content))
      if (!isAgain) return answer
      Object.assign(found, { attempt: found.attempt + 1, since: Date.now(), content })
      return statusOf(documentId, found)
    },

    status: (id: string): Answer => {
      const found = sent.get(id)
      return found ? statusOf(id, found) : notFound
    },

    list: (participant: string, limit: number): Answer => ({
      status: 200,
      body: {
        documents: [...received.values()]
          .filter((each) => each.participant === participant && !each.isConfirmed)
          .slice(0, limit)
          .map(({ id, sender, receivedAt, xml }) => ({ id, sender, receivedAt, size: xml.length })),
      },
    }),

    content(id: string): Answer {
      const found = received.get(id)
      return found ? { status: 200, body: found.xml, type: 'application/xml' } : notFound
    },

    confirm(id: string): Answer {
      const found = received.get(id)
      if (!found) return notFound
      found.isConfirmed = true
      return { status: 200, body: { id, status: 'CONFIRMED' } }
    },
  }
}

export const notFound: Answer = { status: 404, body: { message: 'There is no such document.' } }

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const fraction = (key: string) => Number.parseInt(hash(key).slice(0, 12), 16) / 2 ** 48
const acknowledgement = (id: string) => `ACK-${hash(`acknowledgement ${id}`).slice(0, 24).toUpperCase()}`

/** The rules of the network and of the tax authority that a document can break (a selection). */
function problemsOf({ documentId, sender, receiver, documentType, process }: Json, xml: string): Problem[] {
  const textOf = (name: string) => new RegExp(`<cbc:${name}(?: [^>]*)?>([^<]*)<`).exec(xml)?.[1] ?? ''
  const endpoints = [...xml.matchAll(/<cbc:EndpointID schemeID="([^"]*)">([^<]*)</g)].map(
    ([, scheme, id]) => `${scheme}:${id}`,
  )
  const root = /<(?:\w+:)?(Invoice|CreditNote)[\s>]/.exec(xml)?.[1] ?? ''
  const customization = 'urn:peppol:pint:billing-1@sg-1'
  const type = `urn:oasis:names:specification:ubl:schema:xsd:${root}-2::${root}##${customization}::2.1`
  const checks: [isWrong: boolean, code: string, message: string, location: string][] = [
    [root === '', 'XML', 'The content is no UBL document', '/'],
    [documentType !== type, 'DOCUMENT_TYPE', 'The type is not that of the document', 'documentType'],
    [process !== 'urn:peppol:bis:billing', 'PROCESS', 'The process is not supported', 'process'],
    [
      textOf('CustomizationID') !== customization,
      'ibr-001',
      'The document does not follow PINT of Singapore',
      'cbc:CustomizationID',
    ],
    [textOf('UUID') !== documentId, 'BR-108-GST-SG', 'The UUID is not that of the document', 'cbc:UUID'],
    [endpoints[0] !== sender, 'SENDER', 'The supplier is not the sender', 'cac:AccountingSupplierParty'],
    [endpoints[1] !== receiver, 'RECEIVER', 'The customer is not the receiver', 'cac:AccountingCustomerParty'],
    [!/^0195:SG/.test(String(sender)), 'SENDER', 'The sender is no participant of InvoiceNow', 'sender'],
    [!/<cbc:TaxAmount currencyID="SGD">/.test(xml), 'IRASC5-TAX', 'The tax in SGD is missing', 'cac:TaxTotal'],
    [root === 'CreditNote' && textOf('Note') === '', 'IRASC5-072', 'A credit note has a note', 'cbc:Note'],
  ]
  return checks.flatMap(([isWrong, code, message, location]) => (isWrong ? [{ code, message, location }] : []))
}
