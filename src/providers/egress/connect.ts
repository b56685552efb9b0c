import { Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates, type TLSSocket } from 'node:tls'
import { TargetFailure, toTargetFailure } from '../../core/outside/target-failure.ts'
import { type Address, isSame, toAddress, toText } from './address.ts'
import { isAddressAllowed, isLocalhost, type Policy, type Target } from './policy.ts'
import { withTimeLimit } from './time-limit.ts'

/** All A and AAAA records of a name, as text; empty when there are none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>
/** Opens a connection to an address, never to a name. */
export type Connect = (to: { address: string; port: number; signal: AbortSignal }) => Promise<Socket>

export type Dialer = {
  policy: Policy
  resolve: Resolve
  connect: Connect
  limits: { resolveMs: number; connectMs: number }
  ca: string | undefined
}

/** Opens a connection to a checked address of the target, and verifies the address of the other end. */
export async function open(
  dialer: Dialer,
  { target, tls, signal }: { target: Target; tls: boolean; signal: AbortSignal },
) {
  const addresses = await allowedAddresses(dialer, target, signal)
  const late = () => new TargetFailure('silent')
  return withTimeLimit({ ms: dialer.limits.connectMs, signal, late }, async (signal) => {
    const socket = await dialFirst(dialer, { addresses, port: target.port, signal })
    return tls ? secure({ socket, host: target.host, ca: dialer.ca, signal }) : socket
  })
}

/** All addresses of the target. Throws if any one of them is not allowed. */
export async function allowedAddresses(dialer: Dialer, target: Target, signal: AbortSignal): Promise<Address[]> {
  const addresses = target.literal ? [target.literal] : await lookUp(dialer, target.host, signal)
  if (addresses.length === 0) throw new TargetFailure('unresolved')
  for (const address of addresses) {
    if (!address || !isAddressAllowed(address, target, dialer.policy)) throw new TargetFailure('address')
  }
  return addresses.filter((address) => address !== undefined)
}

type TlsInput = { socket: Socket; host: string; ca: string | undefined; signal: AbortSignal }

/** Starts TLS on an open connection, at once or after STARTTLS. Certificates are always verified. */
export async function secure({ socket, host, ca, signal }: TlsInput): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca && { ca: [...rootCertificates, ca] }),
    rejectUnauthorized: true, // also against NODE_TLS_REJECT_UNAUTHORIZED
    minVersion: 'TLSv1.2',
  })
  try {
    return await ready(secured, 'secureConnect', signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function lookUp({ resolve, limits: { resolveMs } }: Dialer, name: string, signal: AbortSignal) {
  if (isLocalhost(name)) return ['127.0.0.1', '::1'].map(toAddress) // RFC 6761, 6.3: never resolved by the network
  const late = () => new TargetFailure('resolver')
  try {
    const texts = await withTimeLimit({ ms: resolveMs, signal, late }, (signal) => resolve(name, signal))
    return texts.map(toAddress)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof TargetFailure ? error : new TargetFailure('resolver')
  }
}

/**
 * Resolves names with the name servers of this machine, or those given. Uses c-ares instead of getaddrinfo: it can be
 * cancelled, blocks no thread of the pool, adds no search domain and reads no hosts file.
 */
export function createResolve(servers?: string[]): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    const records = await Promise.all([resolver.resolve4(name), resolver.resolve6(name)].map(orNone))
    signal.removeEventListener('abort', cancel)
    return records.flat()
  }
}

const orNone = (records: Promise<string[]>) =>
  records.catch((error: { code?: string }) => {
    if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return []
    throw error
  })

export const connectTo: Connect = ({ address, port, signal }) =>
  ready(connectTcp({ host: address, port, noDelay: true, autoSelectFamily: false }), 'connect', signal)

type Attempt = { addresses: Address[]; port: number; signal: AbortSignal }

/** Tries the addresses in order, each for an equal share of the time limit. */
async function dialFirst(dialer: Dialer, { addresses, port, signal }: Attempt): Promise<Socket> {
  const tried = addresses.slice(0, addressesTriedMax)
  const ms = dialer.limits.connectMs / tried.length
  const late = () => new TargetFailure('silent')
  let last: unknown
  for (const address of tried) {
    try {
      return await withTimeLimit({ ms, signal, late }, (signal) => dial(dialer, { address, port, signal }))
    } catch (error) {
      last = toTargetFailure(error)
      signal.throwIfAborted()
      if (last instanceof TargetFailure && last.isTransient) continue
      throw last
    }
  }
  throw last
}

/** The remote address must be the checked one, not one that a proxy put in its place. */
async function dial(
  { connect }: Dialer,
  { address, port, signal }: { address: Address; port: number; signal: AbortSignal },
) {
  const socket = await connect({ address: toText(address), port, signal })
  const remote = toAddress(socket.remoteAddress ?? '')
  if (remote && isSame(remote, address) && socket.remotePort === port && !signal.aborted) return socket
  socket.destroy()
  signal.throwIfAborted()
  throw new TargetFailure(remote ? 'moved' : 'broken')
}

/** Resolves with the socket when it is ready. The socket is destroyed if it fails, closes early or is aborted. */
function ready<T extends Socket>(socket: T, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', stop)
      socket.destroy()
      reject(toTargetFailure(error))
    }
    const stop = () => fail(signal.reason)
    const close = () => fail(new TargetFailure('broken'))
    // The error listener stays: a reset before the next owner adds one would end the process.
    socket.on('error', fail).once('close', close)
    socket.once(event, () => {
      signal.removeEventListener('abort', stop)
      socket.off('close', close)
      resolve(socket)
    })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
}

const addressesTriedMax = 4
