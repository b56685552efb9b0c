import type { FieldName, Values } from '../../providers/reader/reading.ts'
import type { Chance } from './random.ts'

// What receipts are generated from and what is generated. The layouts, words and businesses are data in templates/.

export type Country = 'IL' | 'SG' | 'US'
export type Script = 'en' | 'he'

/** How hard a picture is to read: as printed, from a scanner, from a phone, from a phone in bad light by a moving hand. */
export type Difficulty = 'clean' | 'scan' | 'photo' | 'hard'

type Side = 'start' | 'center' | 'end'

/** A part of a layout: what to print (`do`), in which form (`as`) and, of details and sums, which ones. */
export type Block = {
  do: string
  as?: string
  of?: string[]
  body?: (Block | string)[][]
  widths?: number[]
  size?: number
  bold?: boolean
  align?: Side
  inverse?: boolean
  upper?: boolean
  fill?: boolean
  border?: string
  /** Empty rows of a pre-printed table, up to this many rows. */
  pad?: number
  /** A title that ends with the number of the document. */
  number?: boolean
  wide?: boolean
}

export type TaxMode = 'added' | 'included' | 'mixed' | 'none'
export type Extra = 'discount' | 'service' | 'tip' | 'rounding'

export type Layout = {
  name: string
  business: string[]
  paper: { width: number; height?: number; margin: number }
  font: {
    family: string
    size: number
    mono?: boolean
    condensed?: number
    /** Printed in dots, as by needles. */
    dots?: boolean
    ink?: string
  }
  title: 'receipt' | 'invoice' | 'bill' | 'folio' | 'payment'
  items: [least: number, most: number]
  quantity?: 'pieces' | 'ones' | 'litres' | 'hours' | 'days'
  tax: TaxMode[]
  paid: ('cash' | 'card' | 'transfer' | 'unpaid')[]
  money: ('plain' | 'separators' | 'symbol' | 'code' | 'bare')[]
  /** With the name of the month, in figures, or either. */
  dates?: 'words' | 'any'
  extras?: Extra[]
  always?: Extra[]
  blocks: (Block | string)[]
}

/** What a receipt is made for; `date` is the day of the receipt. */
export type Setting = {
  layout: Layout
  business: string
  country: Country
  script: Script
  date: string
  chance: Chance
}

/** An element that the template draws; its texts are printed as they are. */
export type Element = { kind: string } & Record<string, unknown>

/** What is printed, and what a reader may answer instead where print leaves a choice; `*` is anything. */
export type Truth = {
  values: Partial<Values>
  alternatives: { [name in FieldName]?: readonly string[] }
}
