/**
 * The ISO 4217 codes of money that people pay with, as published by the maintenance agency (list one). Funds, metals
 * and the test code are left out: no card payment is made in them. Codes withdrawn lately stay for existing forms.
 */
const CODES = `
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR
ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES
VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`

const currencies: ReadonlySet<string> = new Set(CODES.trim().split(/\s+/))

/** Whether `code` is a current ISO 4217 currency code, in capitals. */
export function isCurrency(code: string): boolean {
  return currencies.has(code)
}

/** `amount` in the smallest unit of `currency`, for people: 1200 EUR is `12.00 EUR`, 1200 JPY is `1200 JPY`. */
export function formatMoney(amount: number, currency: string): string {
  const digits = currencyDigits(currency)
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`
}

/** How many digits of an amount in the smallest unit stand behind the point: 2 of EUR, 0 of JPY. */
export function currencyDigits(currency: string): number {
  const style = new Intl.NumberFormat('en', { style: 'currency', currency })
  return style.resolvedOptions().maximumFractionDigits ?? 2
}
