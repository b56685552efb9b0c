import type { Range } from './quantize.ts'

/**
 * The numbers that go into and come out of the convolutions of the network that reads lines, measured with generated receipts.
 * KONTOR_RANGES=line npx vitest run ranges writes them anew.
 */
export const lineRanges: Readonly<Record<string, Range>> = {
  'p2o.Conv.2': { in: [-0.375, 11.709], out: [-3, 16.502] },
  'p2o.Conv.3': { in: [-1.474, 15.404], out: [-3, 19.329] },
  'p2o.Conv.4': { in: [-0.375, 19.329], out: [-3, 12.086] },
  'p2o.Conv.5': { in: [-1.061, 11.4], out: [-3, 38.855] },
  'p2o.Conv.6': { in: [-0.375, 38.855], out: [-3, 16.72] },
  'p2o.Conv.7': { in: [-0.571, 16.524], out: [-3, 12.713] },
  'p2o.Conv.8': { in: [-0.375, 12.713], out: [-3, 3.993] },
  'p2o.Conv.9': { in: [-0.492, 3.876], out: [-3, 8.633] },
  'p2o.Conv.10': { in: [-0.375, 8.633], out: [-3, 5.634] },
  'p2o.Conv.11': { in: [-0.262, 5.747], out: [-3, 8.234] },
  'p2o.Conv.12': { in: [-0.375, 8.234], out: [-3, 4.303] },
  'p2o.Conv.13': { in: [-0.397, 4.281], out: [-3, 3.516] },
  'p2o.Conv.14': { in: [-0.375, 3.516], out: [-3, 4.151] },
  'p2o.Conv.15': { in: [-0.233, 4.293], out: [-3, 7.625] },
  'p2o.Conv.16': { in: [-0.375, 7.625], out: [-3, 4.629] },
  'p2o.Conv.17': { in: [-0.081, 4.923], out: [-3, 9.785] },
  'p2o.Conv.18': { in: [-0.375, 9.785], out: [-3, 4.957] },
  'p2o.Conv.19': { in: [-0.052, 5.28], out: [-3, 8.208] },
  'p2o.Conv.20': { in: [-0.375, 8.208], out: [-3, 6.534] },
  'p2o.Conv.21': { in: [-0.035, 6.873], out: [-3, 21.655] },
  'p2o.Conv.24': { in: [-0.699, 2.188], out: [-3, 5.142] },
  'p2o.Conv.25': { in: [-0.153, 5.364], out: [-3, 25.061] },
  'p2o.Conv.28': { in: [-0.922, 2.618], out: [-3, 10.051] },
  'p2o.Conv.29': { in: [-0.053, 10.372], out: [-3, 10.133] },
  'p2o.Conv.30': { in: [-0.375, 10.133], out: [-3, 8.17] },
  'p2o.Conv.31': { in: [-0.099, 8.446], out: [-3, 17.235] },
  'p2o.Conv.32': { in: [-0.375, 17.235], out: [-3, 30.865] },
}
