import type { Warning } from '../../../../core/define/schema.ts'
import type { Participant } from '../../../../countries/einvoices.ts'

type Facts = Record<string, unknown> | null

/** An address in the Peppol network that was given with the document: `0195:SGUEN201403121W`. */
export function givenParticipant(facts: Facts, name: 'peppolId' | 'sellerPeppolId'): Participant | undefined {
  const given = facts?.[name]
  const [, scheme, id] = /^\s*([0-9A-Z]{2,4}):(\S{1,100})\s*$/.exec(typeof given === 'string' ? given : '') ?? []
  return scheme && id ? { scheme, id } : undefined
}

/** Whether it is an address of Peppol, whose code list has schemes of four digits only (PEPPOL-EN16931-CL008, ibr-cl-25). */
export const isPeppolAddress = ({ scheme }: Participant): boolean => /^\d{4}$/.test(scheme)

/** An address that was given and that Peppol cannot deliver to. */
export const participantWarnings = (facts: Facts): Warning[] =>
  (['peppolId', 'sellerPeppolId'] as const).flatMap((name) => {
    const given = facts?.[name]
    const participant = givenParticipant(facts, name)
    if (given === undefined || given === null || given === '' || (participant && isPeppolAddress(participant)))
      return []
    const path = `countrySpecificData.${name}`
    const ignored = participant ? 'Peppol does not deliver to it' : 'it is ignored'
    const message = `${path} is no address in the Peppol network, so ${ignored}. Give four digits, a colon and the number, such as 0195:SGUEN201403121W.`
    return [{ code: 'PEPPOL_ID', path, message }]
  })
