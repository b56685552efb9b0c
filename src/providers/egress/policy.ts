import { TargetFailure } from '../../core/outside/target-failure.ts'
import { parseUrl } from '../../core/values/url.ts'
import {
  type Address,
  isIPv4,
  isLoopback,
  isMetadata,
  isPublic,
  isSame,
  isWithin,
  type Prefix,
  toAddress,
  toPrefix,
} from './address.ts'

/** The egress rules of this installation: read at start, the same for every organization, not changeable by the API. */
export type Policy = { mode: 'local' | 'strict'; allow: Allowance[]; allowHttp: boolean }

/** One entry of EGRESS_ALLOW. */
export type Allowance = { host: string; port: number; address: Address | undefined } | { prefix: Prefix }

export type Use = 'webhook' | 'file' | 'mail' | 'client' | 'model' | 'service'

/** A connection target whose addresses must still be checked. `host` is normalized by WHATWG, without brackets. */
export type Target = { host: string; port: number; literal: Address | undefined }

/** Parses and checks a web address. Later code uses the parsed URL and never the text. */
export function readUrl(text: string, use: Exclude<Use, 'mail'>, policy: Policy): { url: URL; target: Target } {
  const url = text.length > urlMax ? undefined : parseUrl(text)
  if (!url) throw new TargetFailure('form')
  if (url.href.length > urlMax || !/^https?:$/.test(url.protocol)) throw new TargetFailure('form')
  if (url.username || url.password) throw new TargetFailure('credentials')
  const port = url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80
  const isPlain = url.protocol === 'http:' && policy.mode === 'strict' && !policy.allowHttp
  if (isPlain && use === 'webhook') throw new TargetFailure('scheme')
  // A model or simulator of the operator's own network is often served without TLS; EGRESS_ALLOW names it anyway.
  const host = withoutBrackets(url.hostname)
  if (isPlain && (use === 'model' || use === 'service') && !isListed({ host, port }, policy))
    throw new TargetFailure('scheme')
  return { url, target: readTarget({ host: url.hostname, port }, use, policy) }
}

/** Checks the host and port of a mail server. The WHATWG parser normalizes the host, such as `0x7f.1`. */
export function readMailServer({ host, port }: { host: string; port: number }, policy: Policy): Target {
  const hostname = hostnameOf(host)
  if (!hostname) throw new TargetFailure('name')
  return readTarget({ host: hostname, port }, 'mail', policy)
}

function readTarget({ host: hostname, port }: { host: string; port: number }, use: Use, policy: Policy): Target {
  const host = withoutBrackets(hostname)
  const target = { host, port, literal: toAddress(host) }
  const listed = isListed(target, policy)
  const isLocal = policy.mode === 'local' && (target.literal ? isLoopback(target.literal) : isLocalhost(host))
  if (!listed && !isPortOpen(port, use, isLocal)) throw new TargetFailure('port')
  if (!target.literal && !isNameOpen(host, listed || isLocal)) throw new TargetFailure('name')
  return target
}

/** Whether connecting to this address is allowed for this target. Must be called for every address of a name. */
export function isAddressAllowed(address: Address, target: Target, policy: Policy): boolean {
  const isExact = policy.allow.some(
    (entry) => 'host' in entry && entry.address && isSame(entry.address, address) && entry.port === target.port,
  )
  if (isExact) return true
  if (isMetadata(address)) return false // even if a listed name or block includes it
  if (policy.mode === 'local' && isLoopback(address)) return true
  return (
    isPublic(address) ||
    isListed(target, policy) ||
    policy.allow.some((entry) => 'prefix' in entry && isWithin(address, entry.prefix))
  )
}

/** Parses an entry of EGRESS_ALLOW, `host:port` or CIDR; undefined if it is neither. */
export function toAllowance(text: string): Allowance | undefined {
  if (text.includes('/')) {
    const prefix = toPrefix(text)
    // A wider prefix would disable the policy, which no setting may do.
    return prefix && prefix.bits >= (isIPv4(prefix.bytes) ? 96 + 8 : 7) ? { prefix } : undefined
  }
  const [, name = '', digits = ''] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? []
  const hostname = hostnameOf(name)
  const port = Number(digits)
  if (!hostname || port < 1 || port > 65535) return undefined
  return { host: withoutBrackets(hostname), port, address: toAddress(withoutBrackets(hostname)) }
}

export const isLocalhost = (host: string) => /^(.+\.)?localhost$/.test(host)

const isListed = ({ host, port }: Pick<Target, 'host' | 'port'>, { allow }: Policy) =>
  allow.some((entry) => 'host' in entry && entry.host === host && entry.port === port)

function isPortOpen(port: number, use: Use, isLocal: boolean) {
  if (!Number.isInteger(port) || port < 1 || port > 65535) return false
  if (use === 'mail' && mailPorts.has(port)) return true
  // A mail server on the same machine, such as a bridge or a test server, may use any unprivileged port.
  if (use === 'mail' && !isLocal) return false
  return webPorts.has(port) || (port >= 1024 && !internalPorts.has(port))
}

/** Names for this machine, for the local network and for cloud metadata are never resolved. */
function isNameOpen(host: string, isAllowed: boolean) {
  const labels = host.split('.')
  if (host.length > 253 || !labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) return false
  if (metadataNames.has(host)) return false
  return isAllowed || (labels.length > 1 && !/(^|\.)(localhost|local|internal|home\.arpa)$/.test(host))
}

/** A host name normalized by WHATWG; undefined for a text that is more than a host in a URL. */
function hostnameOf(text: string) {
  const host = toAddress(text) && text.includes(':') ? `[${text}]` : text
  if (!/^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+)$/i.test(host) || !URL.canParse(`http://${host}/`)) return undefined
  return new URL(`http://${host}/`).hostname
}

/** Removes the brackets of IPv6 and trailing dots. */
const withoutBrackets = (hostname: string) =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.+$/, '')

const urlMax = 2048
const webPorts = new Set([80, 443, 8080, 8443])
const mailPorts = new Set([110, 143, 993, 995, 25, 465, 587])
// Docker, etcd, MySQL, PostgreSQL, CouchDB, Redis, Consul, Elasticsearch, kubelet, memcached, MongoDB.
const internalPorts = new Set([2375, 2379, 3306, 5432, 5984, 6379, 8500, 9200, 10250, 11211, 27017])
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog'])
