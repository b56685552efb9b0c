import { type Environment, WrongSetting } from './wrong-setting.ts'

type Range = { min: number; max: number; whole?: boolean }

/** A number in an environment variable, or `otherwise` if it is not set. */
export function number(env: Environment, name: string, otherwise: number, { min, max, whole = false }: Range) {
  const text = env[name]
  if (!text) return otherwise
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    throw new WrongSetting(`${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}; it is "${text}".`)
  return value
}
