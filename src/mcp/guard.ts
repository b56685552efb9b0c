import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { forbidden } from '../core/define/failure.ts'

/**
 * A web page must not drive this endpoint, neither by its own name nor by one that it has pointed at this machine (THR-23):
 * Host is the one people use, or in local mode a name of this machine with the port we listen on; so is Origin, if there
 * is one.
 */
export function requireKnownPlace(request: FastifyRequest, { url, mode }: Pick<Config, 'url' | 'mode'>) {
  const { protocol, host } = new URL(url)
  const here = mode === 'local' ? loopbacks.map((name) => `${name}:${request.socket.localPort}`) : []
  const hosts = [host, ...here]
  if (!hosts.includes(request.host?.toLowerCase())) {
    throw forbidden(
      `This endpoint answers under ${host} only; set KONTOR_URL to the address people use.`,
      'FOREIGN_HOST',
    )
  }
  const { origin } = request.headers
  if (origin !== undefined && !hosts.some((each) => origin.toLowerCase() === `${protocol}//${each}`)) {
    throw forbidden('This request comes from a web page of another site. It was not carried out.', 'FOREIGN_ORIGIN')
  }
}

const loopbacks = ['127.0.0.1', 'localhost', '[::1]']
