CREATE TABLE migrations (position INTEGER PRIMARY KEY, hash TEXT NOT NULL)
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL
)
--> statement-breakpoint
CREATE TABLE `articles` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`id` text NOT NULL,
	`slug` text NOT NULL,
	`title` text,
	`content` text,
	`format` text NOT NULL,
	`canonical_url` text,
	`indexed_at` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `livechat_sources` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `contact_groups` (
	`tenant_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`group_id` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `contact_id`, `group_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`contact_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`group_id`) REFERENCES `groups`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `contacts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`normalised_email` text NOT NULL,
	`name` text,
	`last_name` text,
	`phone` text,
	`organisation_id` text,
	`custom_values` text,
	`unsubscribed` integer DEFAULT false NOT NULL,
	`unsubscribed_at` text,
	`source` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`organisation_id`) REFERENCES `organisations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `custom_fields` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `groups` (
	`tenant_id` text NOT NULL,
	`id` integer NOT NULL,
	`name` text NOT NULL,
	`consent_wording` text,
	`consent_group_type` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `organisations` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`domain` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `events` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event` text NOT NULL,
	`timestamp` text NOT NULL,
	`payload` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `forms` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`launch_code` text NOT NULL,
	`status` text NOT NULL,
	`pages` text NOT NULL,
	`published_at` text,
	`trashed_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`workspace_id`) REFERENCES `workspaces`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`owner_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text NOT NULL,
	`expires_at` text,
	`revoked_at` text,
	`last_used_at` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`location` text,
	`body` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `key`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `responses` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`status` text NOT NULL,
	`resume_token_hash` text,
	`contact_id` text,
	`answers` text NOT NULL,
	`scores` text NOT NULL,
	`created_at` text NOT NULL,
	`submitted_at` text,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`contact_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `counters` (
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `name`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `users` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`billable` integer NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `workspaces` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `inboxes` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`channel` text NOT NULL,
	`email_address` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `messages` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`direction` text NOT NULL,
	`source` text NOT NULL,
	`author_type` text NOT NULL,
	`author_id` text,
	`author_name` text,
	`subject` text,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`from_address` text,
	`to_addresses` text NOT NULL,
	`cc_addresses` text NOT NULL,
	`mail_id` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `tickets` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`sequential_number` integer NOT NULL,
	`status` text NOT NULL,
	`priority` text NOT NULL,
	`contact_id` text,
	`requester_email` text NOT NULL,
	`requester_name` text,
	`subject` text NOT NULL,
	`excerpt` text NOT NULL,
	`message_count` integer NOT NULL,
	`snoozed_until` text,
	`last_message_at` text NOT NULL,
	`closed_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`contact_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`active` integer NOT NULL,
	`events` text NOT NULL,
	`secret` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE "attachments" (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`message_id` text NOT NULL,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`tenant_id` text NOT NULL,
	`batch_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` text NOT NULL,
	`status_code` integer,
	`error` text,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `batch_id`, `number`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `webhook_batches` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`state` text NOT NULL,
	`position` integer,
	`due_at` text,
	`closes_at` text,
	`event_count` integer NOT NULL,
	`event_numbers` text,
	`attempts` integer NOT NULL,
	`created_at` text NOT NULL,
	`delivered_at` text,
	`finished_at` text, `body_head` text, `list_number` integer,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`webhook_id`) REFERENCES `webhooks`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `webhook_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`event_number` integer NOT NULL
)
--> statement-breakpoint
CREATE TABLE `uploads` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`response_id` text,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `webhook_lists` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`list` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
CREATE TABLE `checkouts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`response_id` text NOT NULL,
	`question_ids` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`session_id` text,
	`state` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`response_id`) REFERENCES `responses`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
)
--> statement-breakpoint
INSERT INTO "migrations" VALUES (0, 'bf2e1f1a6685f67483344c1e5a02bbd0ebef21898e5b6a3a4888074afda0f670')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (1, '8f725f2aafa80360b4039f793bff9a4121fad02daf19321fea2fe94af8eb4a15')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (2, '6363b785e81027c394091e86d9e1f9e29caf7c13a8e2410fafa1fc57725472e4')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (3, 'c3b79990d6fa63dceb01cced57b18dbc381e4d09ad9c78d977e1659cffdc2ed2')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (4, '27045bc653a768e90feaddda46f92b019588b752bf283c950458e15358e8e8f5')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (5, 'c95f77b5ad4c4e5be469952b410dfc55571045fa1352cfeb0214c85c2ec7dccf')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (6, '6ad116946a919f44095f60f099f9da0a4a4de8ea82388b83b94be30312f3c828')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (7, 'ea50f55a6bf31aef24a01650ff4af15b37be2ce223c797266d565024b0ec4603')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (8, '02e2ba687dceaf348e587c3cb2e65c32d94808665f363ea03c600d4e029f6dfd')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (9, 'fd7e185b41e457be0b9a022c06f2a5d7ba9bf595de2becb7e1f6c88c655543b0')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (10, '98647d63a58a0e746cf04811067bc212058974cb00d3b7e64700965041cf9e0c')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (11, '666a74f2769cd275201007815a8597855276cfc7f049c9015da135abbaef0173')
--> statement-breakpoint
INSERT INTO "migrations" VALUES (12, 'c0c5d703508cb6596115fa44df839b6a394f3c935c24e19247e2fc9926cddafe')
--> statement-breakpoint
INSERT INTO "tenants" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', 'Acme', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "articles" VALUES (1, '019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71ae-ae12-b8c42ebbf108', '019ca8a0-3e80-71af-b8b5-614979066a5e', 'returns', 'Returns', 'Send it back.', 'markdown', NULL, '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "livechat_sources" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71ae-ae12-b8c42ebbf108', '019ca8a0-3e80-71ad-ba31-990cec27c6f1', 'Help centre', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "contact_groups" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-719d-bd07-999f79e6a753', 1)
--> statement-breakpoint
INSERT INTO "contacts" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-719d-bd07-999f79e6a753', 'grace@furnished.test', 'grace@furnished.test', 'Grace', 'Hopper', '+1 555 0100', '019ca8a0-3e80-719c-921e-42e0529a8c3b', '[{"fieldId":"019ca8a0-3e80-719f-ac09-0f74c3301134","stringValue":"pro","numberValue":null,"dateValue":null}]', 0, NULL, 'api', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "contacts" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71b3-ad47-f8068c88c984', 'later@furnished.test', 'later@furnished.test', 'Later', NULL, NULL, '019ca8a0-3e80-719c-921e-42e0529a8c3b', NULL, 0, NULL, 'api', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "custom_fields" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-719f-ac09-0f74c3301134', 'Plan', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "groups" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', 1, 'News', NULL, NULL, '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "organisations" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-719c-921e-42e0529a8c3b', 'Acme', 'furnished.test', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "events" VALUES (1, '019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-719e-b028-de24f482da35', 'contact.created_or_updated', '2026-03-01T09:00:00.000Z', '{"id":"019ca8a0-3e80-719d-bd07-999f79e6a753","name":"Grace","email":"grace@furnished.test","groups":[{"id":1,"name":"News","consentWording":null,"consentGroupType":null}],"customValues":[]}')
--> statement-breakpoint
INSERT INTO "events" VALUES (2, '019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71a0-bc91-f281d62472ec', 'contact.created_or_updated', '2026-03-01T09:00:00.000Z', '{"id":"019ca8a0-3e80-719d-bd07-999f79e6a753","name":"Grace","email":"grace@furnished.test","groups":[{"id":1,"name":"News","consentWording":null,"consentGroupType":null}],"customValues":[{"fieldId":"019ca8a0-3e80-719f-ac09-0f74c3301134","fieldName":"Plan","stringValue":"pro","numberValue":null,"dateValue":null}]}')
--> statement-breakpoint
INSERT INTO "events" VALUES (3, '019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71a3-afff-d56257ba1592', 'response.created', '2026-03-01T09:00:00.000Z', '{"response":{"id":"r_019ca8a03e8071a2beb0e02f6678a821","formId":"019ca8a0-3e80-71a1-b9fc-a77d8568ce04","startedAt":"2026-03-01T09:00:00.000Z","status":"complete","submittedAt":"2026-03-01T09:00:00.000Z","updatedAt":"2026-03-01T09:00:00.000Z","contactId":"019ca8a0-3e80-719d-bd07-999f79e6a753","scores":{"total":20,"max":29,"percentage":69},"answers":[{"questionId":1,"friendlyId":null,"type":"choose_one","questionText":"","value":{"selected":"Red","other":null}},{"questionId":2,"friendlyId":null,"type":"dropdown","questionText":"","value":{"selected":"Blue","other":null}},{"questionId":3,"friendlyId":null,"type":"choose_any","questionText":"","value":{"selected":["Red","Blue"],"other":null}},{"questionId":4,"friendlyId":null,"type":"multi_dropdown","questionText":"","value":{"selected":["Green"],"other":null}},{"questionId":5,"friendlyId":null,"type":"likert","questionText":"","value":[{"scale":0,"value":4}]},{"questionId":6,"friendlyId":null,"type":"likert_slider","questionText":"","value":[{"scale":0,"value":1}]},{"questionId":7,"friendlyId":null,"type":"nps","questionText":"","value":9},{"questionId":8,"friendlyId":null,"type":"binary","questionText":"","value":false},{"questionId":9,"friendlyId":null,"type":"star_rating","questionText":"","value":4},{"questionId":10,"friendlyId":null,"type":"textbox","questionText":"","value":"It <b>works</b>"},{"questionId":11,"friendlyId":null,"type":"matrix","questionText":"","value":[{"row":0,"column":2},{"row":1,"column":0}]},{"questionId":12,"friendlyId":null,"type":"ranking","questionText":"","value":["Third","First","Second"]},{"questionId":13,"friendlyId":null,"type":"contact_details","questionText":"","value":{"first_name":null,"email":"grace@furnished.test"}},{"questionId":14,"friendlyId":null,"type":"date","questionText":"","value":"2026-03-01"},{"questionId":15,"friendlyId":null,"type":"date_range","questionText":"","value":{"from":"2026-03-01","to":"2026-03-05"}},{"questionId":16,"friendlyId":null,"type":"numeric","questionText":"","value":2.5},{"questionId":17,"friendlyId":null,"type":"file_upload","questionText":"","value":[{"slot":1,"fileName":"cv.pdf","contentType":"application/pdf","size":5,"url":"https://files.test/pdf"}]},{"questionId":18,"friendlyId":null,"type":"signature","questionText":"","value":{"contentType":"image/png","size":3,"url":"https://files.test/png"}},{"questionId":19,"friendlyId":null,"type":"payment","questionText":"","value":{"amount":3000,"currency":"EUR","status":"pending","reference":null}}]},"contact":{"id":"019ca8a0-3e80-719d-bd07-999f79e6a753","name":"Grace","email":"grace@furnished.test","groups":[{"id":1,"name":"News","consentWording":null,"consentGroupType":null}],"customValues":[{"fieldId":"019ca8a0-3e80-719f-ac09-0f74c3301134","fieldName":"Plan","stringValue":"pro","numberValue":null,"dateValue":null}]},"scores":{"total":20,"max":29,"percentage":69},"form":{"id":"019ca8a0-3e80-71a1-b9fc-a77d8568ce04","title":"Survey","launchCode":"gtSdOdwk"}}')
--> statement-breakpoint
INSERT INTO "events" VALUES (4, '019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71a7-aa05-f50b26db3b61', 'ticket.created', '2026-03-01T09:00:00.000Z', '{"ticketId":"019ca8a0-3e80-71a5-b9fa-2b30a49267b9","ticketReference":"T-1","sequentialNumber":1,"teamInboxId":"019ca8a0-3e80-71a4-bd61-bffe83da3bd2","status":"open","priority":"normal","contactId":"019ca8a0-3e80-719d-bd07-999f79e6a753","subject":"Where is my order?","createdAt":"2026-03-01T09:00:00.000Z"}')
--> statement-breakpoint
INSERT INTO "events" VALUES (5, '019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71ab-9e5f-033872918670', 'ticket.replied', '2026-03-01T09:00:00.000Z', '{"ticketId":"019ca8a0-3e80-71a5-b9fa-2b30a49267b9","ticketReference":"T-1","sequentialNumber":1,"teamInboxId":"019ca8a0-3e80-71a4-bd61-bffe83da3bd2","status":"open","priority":"normal","contactId":"019ca8a0-3e80-719d-bd07-999f79e6a753","subject":"Where is my order?","createdAt":"2026-03-01T09:00:00.000Z","messageId":"019ca8a0-3e80-71aa-96d3-f0dac1fba7ca","direction":"outbound","source":"api","excerpt":"On its way."}')
--> statement-breakpoint
INSERT INTO "events" VALUES (6, '019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71b4-b193-ce6bf3dae2ee', 'contact.created_or_updated', '2026-03-01T09:00:00.000Z', '{"id":"019ca8a0-3e80-71b3-ad47-f8068c88c984","name":"Later","email":"later@furnished.test","groups":[],"customValues":[]}')
--> statement-breakpoint
INSERT INTO "forms" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71a1-b9fc-a77d8568ce04', '019ca8a0-3e80-7199-950e-062dc347d5c6', '019ca8a0-3e80-719a-87e6-6da3ec895fed', 'Survey', NULL, 'gtSdOdwk', 'active', '[{"id":1,"title":null,"questions":[{"id":1,"type":"choose_one","text":"","required":false,"friendlyId":null,"options":["Red","Blue","Green"],"otherText":null},{"id":2,"type":"dropdown","text":"","required":false,"friendlyId":null,"options":["Red","Blue","Green"],"otherText":null},{"id":3,"type":"choose_any","text":"","required":false,"friendlyId":null,"options":["Red","Blue","Green"],"otherText":null,"minSelections":null,"maxSelections":null},{"id":4,"type":"multi_dropdown","text":"","required":false,"friendlyId":null,"options":["Red","Blue","Green"],"otherText":null,"minSelections":null,"maxSelections":null},{"id":5,"type":"likert","text":"","required":false,"friendlyId":null,"scales":[{"text":"Disagree","opposingText":"Agree"}],"scaleStart":1,"scaleEnd":5},{"id":6,"type":"likert_slider","text":"","required":false,"friendlyId":null,"scales":[{"text":"Disagree","opposingText":"Agree"}],"scaleStart":1,"scaleEnd":5},{"id":7,"type":"nps","text":"","required":false,"friendlyId":null},{"id":8,"type":"binary","text":"","required":false,"friendlyId":null,"trueLabel":"Yes","falseLabel":"No","icon":"thumbs"},{"id":9,"type":"star_rating","text":"","required":false,"friendlyId":null,"maxStars":5},{"id":10,"type":"textbox","text":"","required":false,"friendlyId":null,"rows":1,"inputLimitation":null},{"id":11,"type":"matrix","text":"","required":false,"friendlyId":null,"rowHeadings":["Speed","Price"],"columnHeadings":["Bad","Fair","Good"],"lastColumnIsNotWeighted":false},{"id":12,"type":"ranking","text":"","required":false,"friendlyId":null,"rankOptions":["First","Second","Third"]},{"id":13,"type":"contact_details","text":"","required":false,"friendlyId":null,"contactFields":[{"field":"first_name","label":null,"visible":true},{"field":"email","label":null,"visible":true},{"field":"city","label":null,"visible":false}]},{"id":14,"type":"date","text":"","required":false,"friendlyId":null,"datePlaceholder":null,"collectTime":false},{"id":15,"type":"date_range","text":"","required":false,"friendlyId":null,"startDatePlaceholder":null,"endDatePlaceholder":null,"collectTime":false},{"id":16,"type":"numeric","text":"","required":false,"friendlyId":null},{"id":17,"type":"file_upload","text":"","required":false,"friendlyId":null,"fileUploadSlots":["CV","Letter"]},{"id":18,"type":"signature","text":"","required":false,"friendlyId":null},{"id":19,"type":"payment","text":"","required":false,"friendlyId":null,"amount":3000,"currency":"EUR","formula":null}]}]', '2026-03-01T09:00:00.000Z', NULL, '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "api_keys" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-719b-b1cf-8505f5e0466d', 'test', 'sk_FyM3zT', 'tlxorh0je6foNkkhuHTE4PsaGjWQJPBGaZCfXfc-g04', '["forms:read","forms:write","responses:read","contacts:read","contacts:write","tickets:read","tickets:write","webhooks:manage"]', NULL, NULL, '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "responses" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', 'r_019ca8a03e8071a2beb0e02f6678a821', '019ca8a0-3e80-71a1-b9fc-a77d8568ce04', 'complete', 'JGDrcc5AI-ufsf6kWV9rcMGaqaLTnqfE7G1lfdemJYo', '019ca8a0-3e80-719d-bd07-999f79e6a753', '[{"questionId":1,"value":{"selected":"Red","other":null}},{"questionId":2,"value":{"selected":"Blue","other":null}},{"questionId":3,"value":{"selected":["Red","Blue"],"other":null}},{"questionId":4,"value":{"selected":["Green"],"other":null}},{"questionId":5,"value":[{"scale":0,"value":4}]},{"questionId":6,"value":[{"scale":0,"value":1}]},{"questionId":7,"value":9},{"questionId":8,"value":false},{"questionId":9,"value":4},{"questionId":10,"value":"It <b>works</b>"},{"questionId":11,"value":[{"row":0,"column":2},{"row":1,"column":0}]},{"questionId":12,"value":["Third","First","Second"]},{"questionId":13,"value":{"first_name":null,"email":"grace@furnished.test"}},{"questionId":14,"value":"2026-03-01"},{"questionId":15,"value":{"from":"2026-03-01","to":"2026-03-05"}},{"questionId":16,"value":2.5},{"questionId":17,"value":[{"slot":1,"fileName":"cv.pdf","contentType":"application/pdf","size":5,"url":"https://files.test/pdf"}]},{"questionId":18,"value":{"contentType":"image/png","size":3,"url":"https://files.test/png"}},{"questionId":19,"value":{"amount":3000,"currency":"EUR","status":"pending","reference":null}}]', '{"total":20,"max":29,"percentage":69}', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "counters" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', 'group', 1)
--> statement-breakpoint
INSERT INTO "counters" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', 'page', 1)
--> statement-breakpoint
INSERT INTO "counters" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', 'question', 19)
--> statement-breakpoint
INSERT INTO "counters" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', 'ticket', 1)
--> statement-breakpoint
INSERT INTO "users" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-719a-87e6-6da3ec895fed', 'admin@019ca8a0-3e80-7198-87e0-03150c1173d3.test', 'admin', 1, '-', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "workspaces" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-7199-950e-062dc347d5c6', 'Main', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "inboxes" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71a4-bd61-bffe83da3bd2', 'Support', 'email', 'help@019ca8a0-3e80-7198-87e0-03150c1173d3.test', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "inboxes" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71ad-ba31-990cec27c6f1', 'Chat', 'livechat', NULL, '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "messages" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71a6-a7b4-00dc4cd5bdf8', '019ca8a0-3e80-71a5-b9fa-2b30a49267b9', 'public', NULL, 'inbound', 'email', 'contact', '019ca8a0-3e80-719d-bd07-999f79e6a753', 'Ada Lovelace', 'Where is my order?', '<p>I ordered a week ago.</p>', 'I ordered a week ago.', 'grace@furnished.test', '["help@019ca8a0-3e80-7198-87e0-03150c1173d3.test"]', '[]', NULL, '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "messages" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71aa-96d3-f0dac1fba7ca', '019ca8a0-3e80-71a5-b9fa-2b30a49267b9', 'public', NULL, 'outbound', 'api', 'api', '019ca8a0-3e80-719b-b1cf-8505f5e0466d', 'test', 'Re: Where is my order?', '<p>On its way.</p>', 'On its way.', 'help@019ca8a0-3e80-7198-87e0-03150c1173d3.test', '["grace@furnished.test"]', '[]', '<019ca8a0-3e80-71a8-abe0-1010fea58137@019ca8a0-3e80-7198-87e0-03150c1173d3.test>', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "messages" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71ac-929f-e983b4ba25f2', '019ca8a0-3e80-71a5-b9fa-2b30a49267b9', 'note', NULL, 'outbound', 'web', 'system', NULL, NULL, NULL, '<p>Internal</p>', 'Internal', NULL, '[]', '[]', NULL, '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "tickets" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71a5-b9fa-2b30a49267b9', '019ca8a0-3e80-71a4-bd61-bffe83da3bd2', 1, 'open', 'normal', '019ca8a0-3e80-719d-bd07-999f79e6a753', 'grace@furnished.test', 'Ada Lovelace', 'Where is my order?', 'On its way.', 2, NULL, '2026-03-01T09:00:00.000Z', NULL, '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "webhooks" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71b0-a5fd-d6488c40f114', 'CRM', 'https://hooks.acme.test/', 1, '["ticket.created"]', 'long and random', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', NULL)
--> statement-breakpoint
INSERT INTO "webhook_attempts" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71b2-8de3-a2d1bfdf8b25', 1, '2026-03-01T09:00:00.000Z', NULL, 'timeout', 30000)
--> statement-breakpoint
INSERT INTO "webhook_attempts" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71b2-8de3-a2d1bfdf8b25', 2, '2026-03-01T09:00:00.000Z', 200, NULL, 87)
--> statement-breakpoint
INSERT INTO "webhook_batches" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71b2-8de3-a2d1bfdf8b25', '019ca8a0-3e80-71b0-a5fd-d6488c40f114', 'delivered', NULL, NULL, NULL, 1, NULL, 2, '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', '{', 1)
--> statement-breakpoint
INSERT INTO "webhook_cursor" VALUES (1, 5)
--> statement-breakpoint
INSERT INTO "uploads" VALUES ('019ca8a0-3e80-7198-87e0-03150c1173d3', '019ca8a0-3e80-71b1-9267-e510b39b5abf', '019ca8a0-3e80-71a1-b9fc-a77d8568ce04', NULL, 'a.png', 'image/png', 70, '2026-03-01T09:00:00.000Z')
--> statement-breakpoint
INSERT INTO "webhook_lists" VALUES (1, '019ca8a0-3e80-7198-87e0-03150c1173d3', '}')
--> statement-breakpoint
CREATE VIRTUAL TABLE `article_search` USING fts5(`source`, `title`, `content`, content='', contentless_delete=1, prefix='1 2', tokenize='unicode61 remove_diacritics 2')
--> statement-breakpoint
INSERT INTO article_search(rowid, source, title, content) SELECT number, replace(source_id, '-', ''), title, content FROM articles
--> statement-breakpoint
UPDATE sqlite_sequence SET seq = 6 WHERE name = 'events'
--> statement-breakpoint
UPDATE sqlite_sequence SET seq = 1 WHERE name = 'articles'
--> statement-breakpoint
UPDATE sqlite_sequence SET seq = 1 WHERE name = 'webhook_lists'
--> statement-breakpoint
CREATE UNIQUE INDEX `articles_slug` ON `articles` (`tenant_id`,`source_id`,`slug`)
--> statement-breakpoint
CREATE UNIQUE INDEX `articles_id` ON `articles` (`tenant_id`,`source_id`,`id`)
--> statement-breakpoint
CREATE INDEX `contact_groups_group` ON `contact_groups` (`tenant_id`,`group_id`)
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_email` ON `contacts` (`tenant_id`,`normalised_email`)
--> statement-breakpoint
CREATE INDEX `contacts_unsubscribed` ON `contacts` (`tenant_id`,`unsubscribed`,`id`)
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_name` ON `custom_fields` (`tenant_id`,`name`)
--> statement-breakpoint
CREATE INDEX `organisations_domain` ON `organisations` (`tenant_id`,`domain`,`id`)
--> statement-breakpoint
CREATE UNIQUE INDEX `forms_launch_code` ON `forms` (`launch_code`)
--> statement-breakpoint
CREATE INDEX `forms_workspace` ON `forms` (`tenant_id`,`workspace_id`,`id`)
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`)
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires` ON `idempotency_keys` (`expires_at`)
--> statement-breakpoint
CREATE INDEX `responses_contact` ON `responses` (`tenant_id`,`contact_id`)
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`)
--> statement-breakpoint
CREATE INDEX `inboxes_email` ON `inboxes` (`email_address`)
--> statement-breakpoint
CREATE INDEX `messages_ticket` ON `messages` (`tenant_id`,`ticket_id`,`state`,`id`)
--> statement-breakpoint
CREATE INDEX `messages_mail` ON `messages` (`mail_id`)
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_number` ON `tickets` (`tenant_id`,`sequential_number`)
--> statement-breakpoint
CREATE INDEX `tickets_inbox` ON `tickets` (`tenant_id`,`inbox_id`,`id`)
--> statement-breakpoint
CREATE INDEX `tickets_status` ON `tickets` (`tenant_id`,`status`,`id`)
--> statement-breakpoint
CREATE INDEX `tickets_contact` ON `tickets` (`tenant_id`,`contact_id`,`id`)
--> statement-breakpoint
CREATE INDEX `tickets_snoozed` ON `tickets` (`snoozed_until`)
--> statement-breakpoint
CREATE TRIGGER `article_search_insert` AFTER INSERT ON `articles` BEGIN
  INSERT INTO `article_search`(rowid, `source`, `title`, `content`) VALUES (new.`number`, replace(new.`source_id`, '-', ''), new.`title`, new.`content`);
END
--> statement-breakpoint
CREATE TRIGGER `article_search_delete` AFTER DELETE ON `articles` BEGIN
  DELETE FROM `article_search` WHERE rowid = old.`number`;
END
--> statement-breakpoint
CREATE TRIGGER `article_search_update` AFTER UPDATE OF `title`, `content` ON `articles` BEGIN
  UPDATE `article_search` SET `source` = replace(new.`source_id`, '-', ''), `title` = new.`title`, `content` = new.`content` WHERE rowid = new.`number`;
END
--> statement-breakpoint
CREATE INDEX `messages_sending` ON `messages` (`tenant_id`,`id`) WHERE "messages"."state" = 'sending'
--> statement-breakpoint
CREATE INDEX `contacts_changed` ON `contacts` (`tenant_id`,`updated_at`,`id`)
--> statement-breakpoint
CREATE INDEX `forms_changed` ON `forms` (`tenant_id`,`updated_at`,`id`)
--> statement-breakpoint
CREATE INDEX `tickets_inbox_status` ON `tickets` (`tenant_id`,`inbox_id`,`status`,`id`)
--> statement-breakpoint
CREATE INDEX `tickets_changed` ON `tickets` (`tenant_id`,`updated_at`,`id`)
--> statement-breakpoint
CREATE INDEX `responses_changed` ON `responses` (`tenant_id`,`form_id`,`updated_at`,`id`)
--> statement-breakpoint
CREATE INDEX `responses_form` ON `responses` (`tenant_id`,`form_id`,`id`)
--> statement-breakpoint
CREATE INDEX `responses_status` ON `responses` (`tenant_id`,`form_id`,`status`,`id`)
--> statement-breakpoint
CREATE INDEX `webhook_batches_list` ON `webhook_batches` (`tenant_id`,`webhook_id`,`id`)
--> statement-breakpoint
CREATE INDEX `webhook_batches_state` ON `webhook_batches` (`tenant_id`,`webhook_id`,`state`,`id`)
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_batches_queue` ON `webhook_batches` (`tenant_id`,`webhook_id`,`position`) WHERE "webhook_batches"."position" IS NOT NULL
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_batches_collecting` ON `webhook_batches` (`tenant_id`,`webhook_id`) WHERE "webhook_batches"."closes_at" IS NOT NULL
--> statement-breakpoint
CREATE INDEX `webhook_batches_due` ON `webhook_batches` (`due_at`) WHERE "webhook_batches"."due_at" IS NOT NULL
--> statement-breakpoint
CREATE INDEX `webhook_batches_finished` ON `webhook_batches` (`finished_at`) WHERE "webhook_batches"."finished_at" IS NOT NULL
--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`tenant_id`,`message_id`,`id`)
--> statement-breakpoint
CREATE INDEX `tickets_contact_inbox_status` ON `tickets` (`tenant_id`,`contact_id`,`inbox_id`,`status`,`id`)
--> statement-breakpoint
CREATE INDEX `uploads_response` ON `uploads` (`tenant_id`,`response_id`)
--> statement-breakpoint
CREATE INDEX `uploads_unused` ON `uploads` (`created_at`) WHERE response_id IS NULL
--> statement-breakpoint
CREATE INDEX `webhook_batches_by_list` ON `webhook_batches` (`list_number`) WHERE "webhook_batches"."list_number" IS NOT NULL
--> statement-breakpoint
CREATE INDEX `checkouts_response` ON `checkouts` (`tenant_id`,`response_id`,`state`)
--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_session` ON `checkouts` (`session_id`)
--> statement-breakpoint
CREATE INDEX `contacts_organisation` ON `contacts` (`tenant_id`,`organisation_id`) WHERE "contacts"."organisation_id" is not null
