import type { AllocationRequest, AuthorityReason } from '../../../../../core/outside/tax-authority.ts'
import { today } from '../../../../../core/values/day.ts'
import { countryView } from '../../../../selling/documents/country-view.ts'
import { type Handler, simulatorAt } from './handler.ts'

/** Allocation numbers of the Israel Tax Authority. */
export const israel: Handler = {
  /** A number that the customer got since the issue is used too. */
  async requestFor(db, { row }, { credentials }) {
    const view = countryView(row)
    const current = await db
      .selectFrom('documents')
      .innerJoin('organizations', 'organizations.id', 'documents.organizationId')
      .innerJoin('customers', (join) =>
        join
          .onRef('customers.organizationId', '=', 'documents.organizationId')
          .onRef('customers.id', '=', 'documents.counterpartyId'),
      )
      .select(['documents.issuedAt', 'organizations.timezone', 'customers.registrationNumber'])
      .where('documents.id', '=', row.id)
      .executeTakeFirst()
    if (!view?.country.allocationRequest || !row.invoiceNumber || !current?.issuedAt)
      return { problem: 'This document gets no allocation number.' }
    const { customer } = view.sale
    const registrationNumber = customer.registrationNumber ?? current.registrationNumber
    return view.country.allocationRequest(
      { ...view.sale, customer: { ...customer, registrationNumber } },
      {
        documentId: row.id,
        number: row.invoiceNumber,
        issuedOn: today(new Date(current.issuedAt), current.timezone),
        credentials,
      },
    )
  },

  requestTokens:
    ({ israel: authority }) =>
    async (caller, { refreshToken, ...client }) =>
      refreshToken ? authority.refresh(caller, { ...client, refreshToken }) : nobodySignedIn,

  ask: ({ israel: authority }, caller, { accessToken, request }) =>
    authority.approve(caller, { accessToken, request: request as AllocationRequest }),

  details: async ({ israel: authority }, environment) => simulatorAt(await authority.simulatorUrl(environment)),
  rejection: (reasons) => `The tax authority refused the number: ${reasons.map(reasonSentence).join('; ')}.`,
  otherwise: 'A number that the authority gave on its web page or by phone can be entered by hand.',
}

const nobodySignedIn = {
  kind: 'refused' as const,
  message: 'Nobody has signed in at the tax authority yet: use connect, or enter a refresh token.',
}

/** What the codes of the authority mean, for the people of the organization. */
const meanings: Record<number, string> = {
  431: 'the VAT number of the organization is not right',
  432: 'the dealer number of the customer is missing, not right, or that of the organization itself',
  434: 'the date of the invoice is too old to request a number',
  435: 'the date of the invoice is more than a month ahead',
  437: 'the VAT amount does not follow the rules',
  438: 'the sums of the batch differ from its documents',
  446: 'the ID number of the person is missing in the credentials',
  460: 'the data is right, but the authority does not approve the invoice; object there, or give the customer an invoice without the number',
  461: 'the authority has refused this invoice before and waits for your decision about it, on its web page',
  462: 'the authority has refused this invoice before, and your decision was sent',
}

function reasonSentence({ code, message, param }: AuthorityReason): string {
  const meaning = code === null ? undefined : meanings[code]
  const said = `${message}${param ? ` (${param})` : ''}`
  return meaning ? `${meaning} [${code}: ${said}]` : code === null ? said : `${code}: ${said}`
}
