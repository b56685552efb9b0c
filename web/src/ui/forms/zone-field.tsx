import { ChoiceField } from './choice-field.tsx'
import type { At, Said } from './text-field.tsx'

/** All time zones, those that are likely first. */
const zones = (first: readonly string[]): Record<string, string> =>
  Object.fromEntries([...first, ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone.replaceAll('_', ' ')]))

export const ZoneField = ({
  first,
  ...rest
}: At<string | null | undefined, string> & Said & { first: readonly string[] }) => (
  <ChoiceField {...rest} options={zones(first)} />
)
