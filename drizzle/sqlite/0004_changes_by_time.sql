DROP INDEX `contacts_updated`;--> statement-breakpoint
CREATE INDEX `contacts_changed` ON `contacts` (`tenant_id`,`updated_at`,`id`);--> statement-breakpoint
DROP INDEX `forms_updated`;--> statement-breakpoint
CREATE INDEX `forms_changed` ON `forms` (`tenant_id`,`updated_at`,`id`);--> statement-breakpoint
DROP INDEX `tickets_updated`;--> statement-breakpoint
CREATE INDEX `tickets_inbox_status` ON `tickets` (`tenant_id`,`inbox_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_changed` ON `tickets` (`tenant_id`,`updated_at`,`id`);--> statement-breakpoint
DROP INDEX `responses_form`;--> statement-breakpoint
DROP INDEX `responses_status`;--> statement-breakpoint
CREATE INDEX `responses_changed` ON `responses` (`tenant_id`,`form_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `responses_form` ON `responses` (`tenant_id`,`form_id`,`id`);--> statement-breakpoint
CREATE INDEX `responses_status` ON `responses` (`tenant_id`,`form_id`,`status`,`id`);