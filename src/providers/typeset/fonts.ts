import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FontFamily } from '../../core/characters/characters.ts'

const require = createRequire(import.meta.url)

/** The package of the Chinese font exports no files, only a module beside their folder. */
const chineseFile = (name: string) => join(dirname(require.resolve('@embedpdf/fonts-sc')), '../fonts', name)

/**
 * The fonts by family: Latin and Hebrew in the weights that templates use, a second Hebrew font for
 * missing marks, then regular and bold for each further script. Noto Sans also has Cyrillic, Greek, Vietnamese, Devanagari and
 * the signs of all currencies.
 */
const filesOf: Record<FontFamily, () => string[]> = {
  Heebo: () => [
    require.resolve('@expo-google-fonts/heebo/400Regular/Heebo_400Regular.ttf'),
    require.resolve('@expo-google-fonts/heebo/500Medium/Heebo_500Medium.ttf'),
    require.resolve('@expo-google-fonts/heebo/700Bold/Heebo_700Bold.ttf'),
  ],
  'Noto Sans Hebrew': () => [
    require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  ],
  'Noto Sans': () => [
    require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  ],
  'Noto Sans Arabic': () => [
    require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf'),
  ],
  'Noto Sans Thai': () => [
    require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
  ],
  'Noto Sans Tamil': () => [
    require.resolve('@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-tamil/700Bold/NotoSansTamil_700Bold.ttf'),
  ],
  'Noto Sans S Chinese': () => [chineseFile('NotoSansHans-Regular.otf'), chineseFile('NotoSansHans-Bold.otf')],
  'BIZ UDPGothic': () => [
    require.resolve('@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf'),
    require.resolve('@expo-google-fonts/biz-udpgothic/700Bold/BIZUDPGothic_700Bold.ttf'),
  ],
  NanumGothic: () => [
    require.resolve('@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf'),
    require.resolve('@expo-google-fonts/nanum-gothic/700Bold/NanumGothic_700Bold.ttf'),
  ],
}

/** The fonts of a family. `core/characters` says which characters they have. */
export const readFonts = (family: FontFamily): Uint8Array[] => filesOf[family]().map((path) => readFileSync(path))
