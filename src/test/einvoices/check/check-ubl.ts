import { parseXml } from '../../../providers/reader/einvoice/xml.ts'
import { categoryRules, coreRules, taxRules } from './en16931.ts'
import { billingRules, participantRules, sharedRules } from './peppol.ts'
import { singaporeRules } from './singapore.ts'
import { type Rules, toDoc } from './tree.ts'
import { schemaProblems } from './ubl-schema.ts'

export type Specification = 'bis' | 'pint' | 'core'

const { 'PEPPOL-R001': _, ...withoutProcess } = sharedRules

/** The rules of each specification. In Singapore the tax of a category is exact; elsewhere validators allow less than one unit. */
export const rulesOf: Record<Specification, Rules> = {
  bis: { ...coreRules, ...taxRules({ slack: 1 }), ...categoryRules, ...sharedRules, ...billingRules },
  pint: { ...coreRules, ...taxRules({ slack: 0 }), ...sharedRules, ...participantRules, ...singaporeRules },
  /** EN 16931 alone: what both parties exchange without the network. */
  core: { ...coreRules, ...taxRules({ slack: 1 }), ...categoryRules, ...withoutProcess },
}

/** The specification that a file claims to follow. */
export function claimedBy(xml: string | Buffer): Specification {
  const [, claim = ''] = /<cbc:CustomizationID>([^<]*)</.exec(String(xml)) ?? []
  return claim.includes(':pint:') ? 'pint' : claim.includes('poacc:billing:3.0') ? 'bis' : 'core'
}

/**
 * What validators would say against a UBL invoice or credit note: schema problems and the ids of the rules that it breaks.
 * Written from the specifications, without a look at how Kontor writes its files.
 */
export async function checkUbl(xml: string | Buffer, specification: Specification): Promise<string[]> {
  const root = await parseXml(Buffer.from(xml))
  const doc = toDoc(root)
  const broken = Object.entries(rulesOf[specification]).filter(([, holds]) => !holds(doc))
  return [...schemaProblems(root), ...broken.map(([id]) => id)]
}
