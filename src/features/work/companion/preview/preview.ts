import type { Operation } from '../../../../core/define/operation.ts'
import { exact } from './exact.ts'
import { generic } from './generic.ts'
import type { Input, Preview, PreviewContext } from './preview-types.ts'
import { Reader } from './reader.ts'

/**
 * What a call will do, from the records as they are now, read with the rights of the person. Throws the Failure of a read
 * that is refused: such a call is refused at once and not asked about.
 */
export async function previewOf(context: PreviewContext, operation: Operation, input: Input): Promise<Preview> {
  const reader = new Reader(context)
  const common = await generic(reader, operation, input)
  const told = Object.hasOwn(exact, operation.name)
    ? { ...common, ...(await exact[operation.name]?.(reader, input, common)) }
    : common
  const said = { tool: operation.name, input, mail: told.mail }
  return { ...said, ...told, warnings: told.warnings ?? [], fingerprint: reader.fingerprint(said) } as Preview
}
