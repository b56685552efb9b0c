import type { FastifyInstance } from 'fastify'
import type { Ground } from './server.ts'
export function mountDocs(_app: FastifyInstance, _ground: Ground) {}
