import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { forbidden } from '../core/define/failure.ts'

/**
 * Refuses requests of foreign web pages, including DNS rebinding, where a page points its own name at this machine (THR-23).
 * Host must be the host of KONTOR_URL, or in local mode a loopback name with our port. Origin, if present, must match too.
 */
export function requireKnownHost(request: FastifyRequest, { url, mode }: Pick<Config, 'url' | 'mode'>) {
  const { protocol, host } = new URL(url)
  const here = mode === 'local' ? loopbacks.map((name) => `${name}:${request.socket.localPort}`) : []
  const hosts = [host, ...here]
  if (!hosts.includes(request.host?.toLowerCase())) {
    throw forbidden(
      `This endpoint is available at ${host} only. If people use another address, set KONTOR_URL to it.`,
      'FOREIGN_HOST',
    )
  }
  const { origin } = request.headers
  if (origin !== undefined && !hosts.some((each) => origin.toLowerCase() === `${protocol}//${each}`)) {
    throw forbidden('This request comes from a web page of another site. It was refused.', 'FOREIGN_ORIGIN')
  }
}

const loopbacks = ['127.0.0.1', 'localhost', '[::1]']
