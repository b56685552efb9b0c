import product from '../../../package.json' with { type: 'json' }

/** Which version of the product this is. */
export const productVersion = product.version
