ALTER TABLE "form_revisions" ADD COLUMN "variables" text COLLATE "C" DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE "form_revisions" ADD COLUMN "ends" text COLLATE "C" DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "variables" text COLLATE "C" DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "ends" text COLLATE "C" DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE "responses" ADD COLUMN "variables" text COLLATE "C" DEFAULT '{}' NOT NULL;
