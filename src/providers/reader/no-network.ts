import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

/** Makes every connection of this process fail: a library that decodes hostile files must not reach anything. */
export function refuseNetwork(): void {
  const refuse = () => {
    throw new Error('The reader has no network.')
  }
  net.Socket.prototype.connect = refuse
  dgram.Socket.prototype.send = refuse
  dgram.Socket.prototype.bind = refuse
  net.Server.prototype.listen = refuse
  dns.lookup = Object.assign(refuse, { __promisify__: refuse }) as unknown as typeof dns.lookup
}
