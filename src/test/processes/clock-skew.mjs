// Preloaded into a process (node --import) to move its clock by SKEW_MS, as `date -s` does for a machine.
const skewMs = Number(process.env.SKEW_MS ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + skewMs] : given))
  }
  static now() {
    return RealDate.now() + skewMs
  }
}
