import type { MailConnection } from '../connection.ts'

type Filters = Pick<MailConnection, 'senderWhitelist' | 'subjectFilter'>
type Headers = { from: string | null; subject: string | null }

/** Why the filters of the connection leave a message out; null if they do not. */
export function filteredOut({ senderWhitelist, subjectFilter }: Filters, { from, subject }: Headers): string | null {
  if (senderWhitelist.length > 0 && !senderWhitelist.some((sender) => isFrom(from, sender)))
    return `The sender ${from ?? '(unknown)'} is not among the senders of this connection.`
  if (subjectFilter && !folded(subject ?? '').includes(folded(subjectFilter)))
    return `The subject does not contain "${subjectFilter}".`
  return null
}

/** Whether an address is the sender, or is of its domain or a subdomain. `example.org` and `@example.org` are domains. */
function isFrom(address: string | null, sender: string): boolean {
  if (!address) return false
  const [own, wanted] = [address.toLowerCase(), sender.toLowerCase()]
  const domain = own.slice(own.lastIndexOf('@') + 1)
  if (wanted.includes('@') && !wanted.startsWith('@')) return own === wanted
  const wantedDomain = wanted.replace(/^@/, '').replace(/^\*\./, '')
  return domain === wantedDomain || domain.endsWith(`.${wantedDomain}`)
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase()
