import { operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { Match, threeWayMatch } from './three-way-match.ts'

export const match = operation({
  name: 'orders_match',
  http: 'GET /api/orders/{id}/match',
  does: 'Compares what was ordered, received or delivered, and billed for an order, and names each difference.',
  scope: 'orders:read',
  within: 'orders',
  input: Type.Object({ id: Id }),
  output: Match,
  run: (context, { id }) => threeWayMatch(context, id),
})
