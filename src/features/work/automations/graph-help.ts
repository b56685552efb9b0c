/** What an agent has to know to write a graph: the descriptions of the fields of `automations_create` and `automations_update`. */
export const about = {
  blocks:
    'What happens: at least one TRIGGER (ref: an event type), and FILTER and ACTION blocks (ref: a tool, webhook.post or email.send). automations_catalog lists events, actions and filter objects. With edges, the example is a whole graph.',
  config: [
    'TRIGGER: {}. ACTION: {input}, the fields of the tool without organizationId. FILTER: {spec} as automations_preview takes it.',
    'Bindings in texts: {{trigger.total}} is a field of the event payload; {{blocks.<id>.name}} of the output of an earlier block (a list has .count, .items and .0.name); {{item.id}} of the current element behind a FOR_EACH edge. Of the run: {{context.now}}, .today, .weekday (monday to sunday), .timezone, .orgId; {{context.today-3d}}, {{context.today+14d}}; {{secrets.NAME}} in headers of webhook.post only.',
    'A text that is one binding becomes the value with its type, and null if there is none; inside a longer text it becomes text. There are no expressions.',
    'spec: {root, follows, predicates, aggregateBy, extract, shape}. root: an object of the filter catalog. follows: [{from, name, as}], relations (morphisms) of an object. predicates: [{object, field, op, value}], all of which hold; op is eq, ne, gt, gte, lt, lte, in, nin or contains; only value may hold bindings. extract: [{as, path: "Object.field", fn}], fn count or sum. aggregateBy: ["Object.field"] makes each result a group; extracts of other fields then need fn. shape: objects (a list of objects named by as), scalars (a list of the one extract) or scalar (a single value).',
    'Example of a spec: {"root": "Document", "follows": [{"from": "Document", "name": "customer"}], "predicates": [{"object": "Document", "field": "daysOverdue", "op": "gt", "value": 30}], "aggregateBy": ["Customer.id"], "extract": [{"as": "customerId", "path": "Customer.id"}, {"as": "owes", "path": "Document.openBalance", "fn": "sum"}]}. automations_preview tries one.',
  ].join(' '),
  edges:
    'The order of the blocks. A block runs if one block before it succeeded and the condition of that edge holds; otherwise it is skipped. No cycles.',
  cond: [
    'When the edge is followed: {left, op, right}, {all: [...]}, {any: [...]} or {not: ...} of such; null always.',
    'op: eq, ne, gt, gte, lt, lte, in and nin (right is a list), contains (a part of a text, or an element of a list), exists and empty (without right).',
    'left and right are values or bindings. Numbers compare with numeric text, days with instants. A missing value equals only null, and is not more or less than anything.',
  ].join(' '),
  mode: [
    'ONCE runs the target once. FOR_EACH runs it for each element of the list that the source returned (or of the list at each inside it), with the element as {{item}}; cond is checked for each element.',
    'After it, ONCE continues with all elements done, and {{blocks.<target>}} is the list of outputs; FOR_EACH continues with the same {{item}}, and {{blocks.<target>}} is the output for it.',
  ].join(' '),
}

/** Each day, mails every customer with an open balance who has an address. */
export const exampleGraph = {
  blocks: [
    { id: 'daily', kind: 'TRIGGER', ref: 'schedule.daily' },
    {
      id: 'overdue',
      kind: 'FILTER',
      config: {
        spec: {
          root: 'Document',
          follows: [{ from: 'Document', name: 'customer' }],
          predicates: [{ object: 'Document', field: 'dueDate', op: 'lt', value: '{{context.today}}' }],
          extract: [
            { as: 'number', path: 'Document.invoiceNumber' },
            { as: 'owes', path: 'Document.openBalance' },
            { as: 'email', path: 'Customer.email' },
          ],
        },
      },
    },
    {
      id: 'remind',
      kind: 'ACTION',
      ref: 'email.send',
      config: {
        input: { to: '{{item.email}}', subject: 'Invoice {{item.number}}', body: '{{item.owes}} is still open.' },
      },
    },
  ],
  edges: [
    { id: 'e1', fromBlockId: 'daily', toBlockId: 'overdue' },
    {
      id: 'e2',
      fromBlockId: 'overdue',
      toBlockId: 'remind',
      mode: 'FOR_EACH',
      cond: { all: [{ left: '{{item.owes}}', op: 'gt', right: 0 }, { not: { left: '{{item.email}}', op: 'empty' } }] },
    },
  ],
}
