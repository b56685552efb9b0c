import type { FastifyInstance } from 'fastify'
import { apiVersion, toolList } from '../../core/contract/tool-list.ts'
import { lazy } from '../pages/lazy.ts'
import type { Assets } from '../pages/page.ts'
import { published, send } from '../pages/publish.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { openApi } from './openapi.ts'
import { referencePage } from './page.ts'

/** The reference, made from the list of operations: OpenAPI, the tool list and `/docs`. Each is rendered on first use. */
export function mountReference(
  app: FastifyInstance,
  { config: { url }, operations }: Pick<ServerDependencies, 'config' | 'operations'>,
  { assets, hasMcp }: { assets: Assets; hasMcp: () => boolean },
) {
  const open = { config: { open: true }, exposeHeadRoute: true } as const
  const document = lazy(() => published('json', JSON.stringify(openApi(operations, { url, version: apiVersion }))))
  const tools = lazy(() => published('json', JSON.stringify(toolList(operations, new Date()))))
  const docs = lazy(() => published('html', referencePage(operations, { url, assets, hasMcp: hasMcp() })))

  app.get('/api/openapi.json', open, (request, reply) => send(request, reply, document()))
  app.get('/api/tools', open, (request, reply) => send(request, reply, tools()))
  app.get('/docs', open, (request, reply) => send(request, reply, docs()))
}
