/** The parts of an OpenAPI 3.1 document that are built and corrected here. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string } & Record<string, unknown>
  servers: { url: string; 'x-internal': boolean }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  /** What the service sends of its own accord. */
  webhooks: Record<string, Record<string, Webhook>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    headers: Record<string, object>
    responses: Record<string, Answer>
    securitySchemes: Record<string, object>
  }
  security: Record<string, never[]>[]
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  'x-scope': string
  /** Without it, the document's own: a key. */
  security?: [] | [{ visitor: [] }]
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; description?: string; content: Record<string, Media> }
  responses: Record<string, Answer | Reference>
}

export type Webhook = Omit<Operation, 'x-scope'>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  example?: unknown
  schema: Schema
}

export interface Answer {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Media>
}

export interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, Example>
}

export interface Example {
  summary?: string
  value: unknown
}

/** A JSON Schema as OpenAPI 3.1 has it. */
export type Schema = Record<string, unknown>

export interface Reference {
  $ref: string
}

export const reference = (kind: keyof OpenApiDocument['components'], name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A reference in the place of a schema. */
export const schemaReference = (name: string): Schema => ({ ...reference('schemas', name) })
