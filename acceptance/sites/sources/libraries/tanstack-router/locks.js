export const locks = 'Eleven'
