import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessPointRequest } from '../../../core/outside/access-point.ts'
import type { ClearanceHandler } from '../../../core/outside/clearance.ts'
import { sentenceOf } from '../../../features/selling/documents/einvoice/einvoice.ts'
import { readEInvoiceData } from '../../../features/selling/documents/einvoice/read-data.ts'
import { toEInvoice } from '../../../features/selling/documents/einvoice/to-einvoice.ts'
import { toUbl } from '../../../features/selling/documents/einvoice/ubl.ts'

/** How long the access point is asked for its decision within an attempt; a later attempt goes on. */
const pausesMs = [300, 700, 1_500]

/** InvoiceNow: the document is sent as PINT through an access point, which reports it to IRAS. */
export const clearance: ClearanceHandler = {
  async requestFor(db, documentId, credentials) {
    const data = await readEInvoiceData(db, documentId)
    const sellerPeppolId = credentials.participantId?.trim()
    const facts = { ...(sellerPeppolId && { sellerPeppolId }), ...data.row.countrySpecificData }
    const written = toEInvoice({ ...data, row: { ...data.row, countrySpecificData: facts } }, 'national')
    if ('problems' in written)
      return { problem: `The e-invoice cannot be written yet. ${written.problems.map(sentenceOf).join(' ')}` }
    const { seller, buyer, profile, isCreditNote } = written.invoice
    const root = isCreditNote ? 'CreditNote' : 'Invoice'
    return {
      invoice_id: documentId,
      sender: addressOf(seller),
      receiver: addressOf(buyer),
      document_type: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2::${root}##${profile.customization}::2.1`,
      process: profile.process ?? '',
      content: toUbl(written.invoice),
    }
  },

  requestTokens:
    ({ accessPoint }) =>
    async (caller, client) => {
      const answer = await accessPoint.token(caller, client)
      if (answer.kind !== 'granted') return answer
      return { kind: 'granted', tokens: { ...answer, refreshToken: null } }
    },

  async ask({ accessPoint }, caller, { accessToken, request }) {
    const { invoice_id: documentId } = request
    let answer = await accessPoint.send(caller, { accessToken, request: request as AccessPointRequest })
    for (const pause of pausesMs) {
      if (answer.kind !== 'pending' || caller.signal?.aborted) break
      await sleep(pause)
      answer = await accessPoint.status(caller, { accessToken, documentId })
    }
    return answer
  },

  simulatorUrl: ({ accessPoint }, environment) => accessPoint.simulatorUrl(environment),
}

type Addressed = { endpoint: { scheme: string; id: string } | null }
const addressOf = ({ endpoint }: Addressed) => (endpoint ? `${endpoint.scheme}:${endpoint.id}` : '')
