type Input = Record<string, unknown>
type Line = { description: string; quantity: number; unitPrice: number }
type Graph = { blocks: { kind: string; ref: string | null }[]; edges: { cond: unknown; mode: string }[] }

/** The input as the corpus has it: the lines of a draft and the graph of an automation in a few words, all else as it is. */
export function summary(tool: string, input: Input): Input {
  if (tool === 'invoices_create') return document(input)
  if (tool === 'automations_create') return automation(input as unknown as Graph)
  if (tool === 'automations_preview') return { finds: (input.spec as { root: string }).root }
  return input
}

function document({ customerId, currency, items, taxRate, total, documentType, dueDate }: Input): Input {
  const line = (items as Line[])
    .map(({ description, quantity, unitPrice }) =>
      quantity === 1 ? `${description} ${unitPrice}` : `${quantity} × ${description} ${unitPrice}`,
    )
    .join(', ')
  return { customerId, documentType, currency, line, taxRate, total, ...(dueDate !== undefined && { dueDate }) }
}

function automation({ blocks, edges }: Graph): Input {
  const steps = blocks.map(({ ref }) => ref ?? 'filter').join(' → ')
  const cond = edges.find((edge) => edge.cond)?.cond
  return {
    steps,
    ...(edges.some(({ mode }) => mode === 'FOR_EACH') && { forEach: true }),
    ...(cond !== undefined && { cond }),
  }
}
