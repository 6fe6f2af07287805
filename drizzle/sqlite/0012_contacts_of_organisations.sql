DROP INDEX `contacts_organisation`;--> statement-breakpoint
CREATE INDEX `contacts_organisation` ON `contacts` (`tenant_id`,`organisation_id`) WHERE "contacts"."organisation_id" is not null;