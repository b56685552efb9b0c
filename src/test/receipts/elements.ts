import type { Block, Element } from './types.ts'

/** The look that a block gives its texts; the template has the defaults. */
export const styleOf = ({ size, bold, align, inverse }: Block) => ({
  ...(size !== undefined && { size }),
  ...(bold && { bold }),
  ...(align && { align }),
  ...(inverse && { inverse }),
})

/** A label and its value, which the template places as `as` says. */
export const pair = (label: string, value: string, as: string, block?: Block): Element => ({
  kind: 'pair',
  as,
  label,
  value,
  ...(block && styleOf(block)),
})
