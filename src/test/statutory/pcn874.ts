import { expect } from 'vitest'

/** A reader of PCN874, written from the description of the format: widths, counts and sums. */
export function readPcn874(bytes: Uint8Array) {
  const text = new TextDecoder('ascii').decode(bytes)
  expect(text).toMatch(/^[\x20-\x7e\n]*\n$/)
  const [first = '', ...rest] = text.slice(0, -1).split('\n')
  const last = rest.pop() ?? ''
  expect([first.length, last.length]).toEqual([131, 10])
  const header =
    /^O(\d{9})(\d{6})1(\d{8})([+-]\d{11})([+-]\d{9})\+0{11}\+0{9}(\d{9})([+-]\d{11})([+-]\d{9})([+-]\d{9})(\d{9})([+-]\d{11})$/.exec(
      first,
    )
  expect(header, first).not.toBeNull()
  const [, dealer = '', period = '', madeOn = '', ...numbers] = header ?? []
  const [taxed = 0, vat = 0, sales = 0, untaxed = 0, otherInputs = 0, equipment = 0, inputs = 0, payable = 0] =
    numbers.map(Number)
  expect(last).toBe(`X${dealer}`)
  const records = rest.map(readLine)
  const isInput = ({ type }: { type: string }) => 'TKRPHC'.includes(type)
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  const signedVat = ({ vat: tax, amount }: { vat: number; amount: number }) => (amount < 0 ? -tax : tax)
  const sold = records.filter((record) => !isInput(record))
  const bought = records.filter(isInput)
  expect([sold.length, bought.length]).toEqual([sales, inputs])
  expect(sum(sold.map(signedVat))).toBe(vat)
  expect(sum(bought.map(signedVat))).toBe(otherInputs + equipment)
  expect(sum(sold.map(({ amount }) => amount))).toBe(taxed + untaxed)
  expect(payable).toBe(vat - otherInputs - equipment)
  return { dealer, period, madeOn, taxed, vat, untaxed, inputVat: otherInputs + equipment, payable, records }
}

function readLine(line: string) {
  expect(line.length, line).toBe(60)
  const found = /^([SLMYITKRPHC])(\d{9})(\d{8})0000(\d{9})(\d{9})([+-]\d{10})(\d{9})$/.exec(line)
  expect(found, line).not.toBeNull()
  const [, type = '', dealer = '', day = '', reference = '', vat, amount, allocation = ''] = found ?? []
  return { type, dealer, day, reference, vat: Number(vat), amount: Number(amount), allocation }
}
